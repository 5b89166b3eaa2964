// SPDX-License-Identifier: MIT
// Divides the j-particles by their softenings, and merges the results of the parts.
#include "block_truth.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace g6fuzz {
namespace {

bool same3(const double *a, const double *b)
{
    return std::equal(a, a + 3, b);
}

bool same_motion(const JParticle &a, const JParticle &b)
{
    return same3(a.x, b.x) && same3(a.v, b.v) && same3(a.a2, b.a2) && same3(a.j6, b.j6) &&
           same3(a.k18, b.k18) && a.t == b.t;
}

}  // namespace

BlockTruth::BlockTruth(const Task &task)
{
    std::set<double> values;
    for (const JParticle &j : *task.j) values.insert(j.eps2);
    if (values.empty()) values.insert(0);
    for (const double eps2 : values) {
        Task share = task;
        for (IParticle &i : share.i) i.eps2 += eps2;
        if (values.size() > 1) {
            auto some = std::make_shared<std::vector<JParticle>>();
            for (const JParticle &j : *task.j)
                if (j.eps2 == eps2) some->push_back(j);
            share.j = some;
        }
        shares_.emplace_back(share);
    }
}

Force BlockTruth::force(int i) const
{
    Force sum = shares_.front().truth.force(i);
    for (size_t s = 1; s < shares_.size(); s++) {
        const Force f = shares_[s].truth.force(i);
        for (int k = 0; k < 3; k++) sum.acc[k] += f.acc[k], sum.jerk[k] += f.jerk[k];
        sum.pot += f.pot;
        sum.acc_off += f.acc_off, sum.jerk_off += f.jerk_off, sum.pot_off += f.pot_off;
        sum.acc_known = sum.acc_known && f.acc_known;
        sum.jerk_known = sum.jerk_known && f.jerk_known;
        sum.pot_known = sum.pot_known && f.pot_known;
    }
    return sum;
}

Nearest BlockTruth::nearest(int i) const
{
    Truth::Candidates near;
    for (const Share &s : shares_) s.truth.add_candidates(i, near);
    auto &all = near.all;
    std::sort(all.begin(), all.end(),
              [](const auto &a, const auto &b) { return a.p->address < b.p->address; });
    Nearest found;
    found.low = std::numeric_limits<Real>::infinity();
    for (size_t k = 0; k < all.size(); k++) {
        const auto &c = all[k];
        if (c.low > near.most) continue;
        found.low = std::min(found.low, std::sqrt(c.low * c.low + c.eps2));
        found.high = std::max(found.high, std::sqrt(near.most * near.most + c.eps2));
        // A tie that no rounding can break goes to the lowest address.  Between two softenings the
        // squares of distances are compared as doubles, which two devices may have rounded
        // differently, and the nearest of its softening stands for all others of it.  So one that
        // is nearer by less than a rounding decides about its twin.
        bool later = false;
        for (size_t e = 0; e < k && !later; e++)
            later = (c.s.exact && all[e].s.exact && all[e].s.r2 == c.s.r2 &&
                     (all[e].p->eps2 == c.p->eps2 || static_cast<double>(c.s.r2) == c.s.r2)) ||
                    (all[e].p->eps2 == c.p->eps2 && same_motion(*all[e].p, *c.p));
        if (!later) found.indices.push_back(c.p->index);
    }
    return found;
}

std::vector<Entry> BlockTruth::list(int i) const
{
    std::vector<Entry> entries;
    for (const Share &s : shares_) {
        const std::vector<Entry> more = s.truth.list(i);
        entries.insert(entries.end(), more.begin(), more.end());
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry &a, const Entry &b) { return a.address < b.address; });
    return entries;
}

int BlockTruth::bodies() const
{
    int sum = 0;
    for (const Share &s : shares_) sum += s.truth.bodies();
    return sum;
}

bool BlockTruth::may_be_refused() const
{
    return std::any_of(shares_.begin(), shares_.end(), [&](const Share &s) {
        return s.truth.may_be_refused() || (shares_.size() > 1 && has_far_nearest(s));
    });
}

// Whether no double may hold the square of the distance to the nearest j-particle of the share.
bool BlockTruth::has_far_nearest(const Share &share)
{
    for (size_t n = 0; n < share.task.i.size(); n++) {
        Truth::Candidates near;
        share.truth.add_candidates(static_cast<int>(n), near);
        if (!near.all.empty() && near.most > 1e154L) return true;
    }
    return false;
}

}  // namespace g6fuzz
