// SPDX-License-Identifier: MIT
// A call with values that the table has changes them in place, so that a client may set its
// particles one by one.  Another call makes a new table.
#include "softening_table.h"

#include "../base/status.h"
#include "../base/vec3.h"

#include <algorithm>
#include <climits>

namespace g6 {
namespace {

// Returns the highest address of the call, -1 without any.
int check(int n, const int *address, const double *eps2)
{
    if (n < 0) throw Error(G6_ERR_ARGUMENT, "n = %d is negative", n);
    if (n > 0 && !eps2) throw Error(G6_ERR_ARGUMENT, "eps2 is NULL with n = %d", n);
    int highest = -1;
    for (int k = 0; k < n; k++) {
        const int a = address ? address[k] : k;
        if (a < 0 || a == INT_MAX)
            throw Error(G6_ERR_ARGUMENT, "address %d is out of range: addresses go from 0 to %d", a,
                        INT_MAX - 1);
        if (!finite(eps2[k]) || eps2[k] < 0)
            throw Error(G6_ERR_ARGUMENT,
                        "eps2 = %g of address %d is no length squared: it must be finite and 0 or "
                        "more; all softenings stay as they are",
                        eps2[k], a);
        highest = std::max(highest, a);
    }
    return highest;
}

[[noreturn]] void refuse_more()
{
    throw Error(G6_ERR_ARGUMENT,
                "the j-particles would have more than %d different softenings besides 0; give each "
                "type of particle one softening; all softenings stay as they are",
                SofteningTable::kMost);
}

}  // namespace

void SofteningTable::set(int n, const int *address, const double *eps2)
{
    const auto size = std::max(eps2_.size(), static_cast<size_t>(check(n, address, eps2)) + 1);
    const auto put = [&](std::vector<double> &to) {
        bool changes = false;
        to.resize(size);
        for (int k = 0; k < n; k++) {
            double &value = to[static_cast<size_t>(address ? address[k] : k)];
            changes = changes || value != eps2[k];
            value = eps2[k];
        }
        return changes;
    };
    if (std::all_of(eps2, eps2 + n, [&](double value) { return values_.count(value); })) {
        revision_ += put(eps2_);
        return;
    }
    std::vector<double> all = eps2_;
    put(all);
    std::set<double> values{0};
    for (const double value : all) {
        values.insert(value);
        if (values.size() > kMost + 1) refuse_more();
    }
    values_.swap(values);
    eps2_.swap(all);
    revision_++;
}

std::set<double> SofteningTable::of_all(const JStore &store) const
{
    std::set<double> values;
    for (int a = 0; a < store.high_water(); a++)
        if (store.written(a)) values.insert(of(a));
    return values;
}

void add_softening(const double *eps2, int n, double eps2_j, std::vector<double> &pairs)
{
    pairs.assign(eps2, eps2 + n);
    for (int i = 0; i < n; i++) {
        if (!finite(eps2[i]) || eps2[i] < 0) continue;
        pairs[static_cast<size_t>(i)] += eps2_j;
        if (!finite(pairs[static_cast<size_t>(i)]))
            throw Error(G6_ERR_ARGUMENT,
                        "the sum of eps2 = %g of i-particle %d and eps2 = %g of j-particles is "
                        "beyond the range of double; choose units in which lengths are smaller",
                        eps2[i], i, eps2_j);
    }
}

void SofteningTable::clear()
{
    if (all_zero()) return;
    values_ = {0};
    eps2_.clear();
    revision_++;
}

}  // namespace g6
