// SPDX-License-Identifier: MIT
// Compares forces, neighbours, lists, predictions and statuses of a replayed call with the recorded
// ones, and adds up the times of both.
#include "differences.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace g6bench {
namespace {

using g6::trace::Kind;

double relative_difference(const double *a, const double *b, int components)
{
    double apart = 0, size_a = 0, size_b = 0;
    for (int k = 0; k < components; k++) {
        apart = std::hypot(apart, a[k] - b[k]);
        size_a = std::hypot(size_a, a[k]);
        size_b = std::hypot(size_b, b[k]);
    }
    if (!std::isfinite(apart)) return 1;
    return apart > 0 ? apart / std::max(size_a, size_b) : 0;
}

// Whether a call returns a status, and not nothing or a number that depends on the machine.
bool has_status(Kind kind)
{
    return kind != Kind::kNpipes && kind != Kind::kGetNjMax && kind != Kind::kQuestion &&
           kind != Kind::kSetNip && kind != Kind::kSetNjp && kind != Kind::kSetI &&
           !g6tools::is_firsthalf(kind);
}

}  // namespace

void Differences::add(const double *got, const double *recorded, int components,
                      std::uint64_t in_call)
{
    compared++;
    if (std::memcmp(got, recorded, static_cast<std::size_t>(components) * sizeof *got) == 0) {
        equal++;
        return;
    }
    const double d = relative_difference(got, recorded, components);
    unequal.push_back(static_cast<float>(d));
    if (d > largest || !call) call = in_call;
    largest = std::max(largest, d);
}

double Differences::median()
{
    const std::uint64_t middle = compared / 2;
    if (middle < equal || unequal.empty()) return 0;
    const auto place = unequal.begin() + static_cast<std::ptrdiff_t>(middle - equal);
    std::nth_element(unequal.begin(), place, unequal.end());
    return *place;
}

void Matches::add(bool same, std::uint64_t in_call)
{
    compared++;
    if (same) return;
    if (different++ == 0) call = in_call;
}

void Comparison::add_forces(const RecordedCall &c, const Replayed &r, std::size_t first)
{
    constexpr const char *names[] = {"acc", "jerk", "pot"};
    for (std::size_t k = 0; k < 3; k++) {
        const auto &recorded = c.doubles[first + k];
        const std::size_t components = k < 2 ? 3 : 1;
        if (recorded.null || r.doubles[k].size() != recorded.size()) continue;
        for (std::size_t at = 0; at < recorded.size(); at += components)
            differences[names[k]].add(&r.doubles[k][at], &recorded.v[at],
                                      static_cast<int>(components), c.number);
    }
    const std::size_t place = c.kind == Kind::kGetForce ? 0 : g6tools::kNearest;
    if (c.ints.size() <= place || c.ints[place].size() != r.nearest.size()) return;
    for (std::size_t i = 0; i < r.nearest.size(); i++)
        nearest.add(r.nearest[i] == c.ints[place].v[i], c.number);
}

// The order of the entries of a list does not count.
void Comparison::add_list(const RecordedCall &c, const Replayed &r)
{
    std::vector<int> recorded = c.ints[1].v, got = r.list;
    std::sort(recorded.begin(), recorded.end());
    std::sort(got.begin(), got.end());
    lists.add(recorded == got, c.number);
}

void Comparison::add(const RecordedCall &c, const std::optional<Replayed> &r)
{
    CallTimes &t = times[c.kind];
    t.calls++;
    if (!r) {
        if (!c.has(g6::trace::kUntimed)) t.timed++, t.recorded += 1e-9 * static_cast<double>(c.ns);
        return;
    }
    t.played++;
    if (!c.has(g6::trace::kUntimed)) {
        t.timed++;
        t.recorded += 1e-9 * static_cast<double>(c.ns);
        t.replayed += r->seconds;
    }
    if (with_status_ && has_status(c.kind)) status.add(r->status == c.status, c.number);
    if (c.status < 0) return;
    if (g6tools::is_lasthalf(c.kind)) add_forces(c, *r, g6tools::kAcc);
    if (c.kind == Kind::kGetForce) add_forces(c, *r, 0);
    if (c.kind == Kind::kGetList && !c.ints[0].null) add_list(c, *r);
    if (c.kind == Kind::kPredict)
        for (std::size_t k = 0; k < 2; k++)
            for (std::size_t at = 0; at < c.doubles[k].size(); at += 3)
                differences[k ? "predicted v" : "predicted x"].add(
                    &r->doubles[k][at], &c.doubles[k].v[at], 3, c.number);
}

}  // namespace g6bench
