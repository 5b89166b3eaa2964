// SPDX-License-Identifier: MIT
// Neighbour lists, and candidates for the nearest neighbour.
#include "truth_numbers.h"

namespace g6fuzz {

// Squares of distances below this one, in units of the device, may vanish.
constexpr Real kLeastSquare = 1e-300L, kLeastDistance = 1e-150L;

void Truth::add_candidates(int n, Candidates &to) const
{
    const IParticle &i = task_.i[static_cast<size_t>(n)];
    const Real vanishing = is_exact(i) ? 0 : kLeastDistance * units_.length.high;
    for (const Body &b : body_) {
        if (b.p->index == i.index) continue;
        const Separation s = separation(b, i);
        const Real r = std::sqrt(s.r2);
        const Real off = s.exact ? 0 : s.off + 4 * kDouble * r + vanishing;
        if (r - off > to.most) continue;
        to.most = std::min(to.most, r + off);
        to.all.push_back({b.p, s, std::max(Real(0), r - off), i.eps2});
    }
}

std::vector<Entry> Truth::list(int n) const
{
    const IParticle &i = task_.i[static_cast<size_t>(n)];
    std::vector<Entry> entries;
    if (!(i.h2 > 0) || task_.tree_only) return entries;
    // What is left of h2 for r^2, and how well it is known.
    const Real soft = task_.softened_lists ? i.eps2 : 0, h2 = Real(i.h2) - soft;
    const Real unit = is_exact(i) ? 0 : units_.length.high;
    const bool vanishes = h2 < kLeastSquare * unit * unit;
    const Real h2_off = soft > 0 ? 8 * kDouble * (Real(i.h2) + soft) : 0;
    for (const Body &b : body_) {
        if (b.p->index == i.index && !task_.own_in_lists) continue;
        const Separation s = separation(b, i);
        if (s.exact && (soft == 0 || whole(soft, grid_ * grid_ / 16))) {
            if (s.r2 < h2) entries.push_back({b.p->address, b.p->index, !vanishes});
            continue;
        }
        const Real r = std::sqrt(s.r2);
        const Real off = s.off + kLeastDistance * unit;
        const Real least = std::max(Real(0), r - off), most = r + off;
        const Real slack = 8 * kDouble;
        if (!(least * least < h2 * (1 + slack) + h2_off)) continue;
        const bool certain = most * most < h2 * (1 - slack) - h2_off ||
                             (!vanishes && soft == 0 && s.r2 == 0 && s.off == 0);
        entries.push_back({b.p->address, b.p->index, certain});
    }
    return entries;
}

}  // namespace g6fuzz
