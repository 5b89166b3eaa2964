// SPDX-License-Identifier: MIT
// A call whose values are all in the table changes only the numbers of addresses, so that a client
// may set its particles one by one.  A call with a new value makes a new table, of the values that
// addresses have, and replaces the old one.
#include "softening_table.h"

#include "../base/status.h"
#include "../base/vec3.h"

#include <algorithm>
#include <climits>
#include <utility>

namespace g6 {
namespace {

// Refuses bad arguments.  Returns the highest address of the call; -1: there is none.
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
    const int highest = check(n, address, eps2);
    const auto address_of = [&](int k) { return address ? address[k] : k; };
    std::vector<double> values = values_;  // of the table, followed by new values of the call
    std::vector<unsigned char> of_call(static_cast<size_t>(n));  // places in `values`
    bool same = true;
    size_t last = 0;
    for (int k = 0; k < n; k++) {
        if (values[last] != eps2[k])
            last = static_cast<size_t>(std::find(values.begin(), values.end(), eps2[k]) -
                                       values.begin());
        if (last == values.size()) {
            if (values.size() > UCHAR_MAX) refuse_more();
            values.push_back(eps2[k]);
        }
        of_call[static_cast<size_t>(k)] = static_cast<unsigned char>(last);
        same = same && static_cast<size_t>(number_of(address_of(k))) == last;
    }
    if (same) return;
    const auto put = [&](std::vector<unsigned char> &number) {
        number.resize(std::max(number.size(), static_cast<size_t>(highest) + 1));
        for (int k = 0; k < n; k++)
            number[static_cast<size_t>(address_of(k))] = of_call[static_cast<size_t>(k)];
    };
    if (values.size() == values_.size()) {
        put(number_);
        revision_++;
        return;
    }
    std::vector<unsigned char> number = number_;
    put(number);
    std::vector<char> is_used(values.size());
    is_used[0] = true;
    for (const unsigned char v : number) is_used[v] = true;
    std::vector<double> sorted;
    for (size_t v = 0; v < values.size(); v++)
        if (is_used[v]) sorted.push_back(values[v]);
    if (sorted.size() > kMost + 1) refuse_more();
    std::sort(sorted.begin(), sorted.end());
    std::vector<unsigned char> renumbered(values.size());
    for (size_t v = 0; v < values.size(); v++)
        renumbered[v] = static_cast<unsigned char>(
            std::lower_bound(sorted.begin(), sorted.end(), values[v]) - sorted.begin());
    for (unsigned char &v : number) v = renumbered[v];
    number_ = std::move(number);
    values_ = std::move(sorted);
    revision_++;
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
    number_.clear();
    revision_++;
}

}  // namespace g6
