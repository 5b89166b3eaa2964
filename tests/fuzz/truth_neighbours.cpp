// SPDX-License-Identifier: MIT
// Nearest neighbours and lists.
#include "truth_numbers.h"

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

// Squares of distances below this one, in units of the device, may vanish.
constexpr Real kLeastSquare = 1e-300L, kLeastDistance = 1e-150L;

Nearest Truth::nearest(int n) const
{
    const IParticle &i = task_.i[static_cast<size_t>(n)];
    struct Candidate {
        const Body *b;
        Separation s;
        Real low, high;
    };
    std::vector<Candidate> all;
    Nearest found;
    const Real vanishing = is_exact(i) ? 0 : kLeastDistance * units_.length.high;
    found.high = std::numeric_limits<Real>::infinity();
    for (const Body &b : body_) {
        if (b.p->index == i.index) continue;
        const Separation s = separation(b, i);
        const Real r = std::sqrt(s.r2);
        const Real off = s.exact ? 0 : s.off + 4 * kDouble * r + vanishing;
        if (r - off > found.high) continue;
        found.high = std::min(found.high, r + off);
        all.push_back({&b, s, r - off, r + off});
    }
    found.low = found.high;
    for (size_t k = 0; k < all.size(); k++) {
        const Candidate &c = all[k];
        if (c.low > found.high) continue;
        found.low = std::min(found.low, c.low);
        // A tie that no rounding can break goes to the lowest address.
        bool later = false;
        for (size_t e = 0; e < k && !later; e++)
            later = (c.s.exact && all[e].s.exact && all[e].s.r2 == c.s.r2) ||
                    same_motion(*all[e].b->p, *c.b->p);
        if (!later) found.indices.push_back(c.b->p->index);
    }
    return found;
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
            if (s.r2 < h2) entries.push_back({b.p->index, !vanishes});
            continue;
        }
        const Real r = std::sqrt(s.r2);
        const Real off = s.off + kLeastDistance * unit;
        const Real least = std::max(Real(0), r - off), most = r + off;
        const Real slack = 8 * kDouble;
        if (!(least * least < h2 * (1 + slack) + h2_off)) continue;
        const bool certain = most * most < h2 * (1 - slack) - h2_off ||
                             (!vanishes && soft == 0 && s.r2 == 0 && s.off == 0);
        entries.push_back({b.p->index, certain});
    }
    return entries;
}

}  // namespace g6fuzz
