// SPDX-License-Identifier: MIT
// Sums over interaction lists of a tree walk; compiled once for each instruction set (G6_ISA).
//
// Least operations, mixed acc and pot with AVX-512: 17 vector operations for kLanes cells
// (differences 3, distance 3, estimate of the root 1, force 10) and 20 for bodies (softening and
// nearness 3 more), of which 12 need a multiply-add unit.  Phantom-GRAPE's PG5 kernel has 14
// operations, of which 10 need such a unit, with a relative error of 2^-12.  The jerk adds 14.
// Precision, mixed: positions are floats relative to the middle of the group (lists.h), so that
// the rounding of a difference is 2^-18 of a distance of 1/16 of the group's reach, and less for
// longer distances.  No cell acts at less than this distance.  Nearer bodies are left out and
// summed in double from the tree's own positions.  A lane adds at most kListTerms float terms, and
// the lanes are added in float, before the sum is added to a double.
#include "lists.h"
#include "roots.h"
#include "sums.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_REAL F
#define G6_PAIR_SUMS PairSumsF
#include "../../libg6gpu/formulas/multipole.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#define G6_REAL D
#define G6_PAIR_SUMS PairSumsD
#include "../../libg6gpu/formulas/multipole.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

constexpr int kListTerms = 32;

// One i-particle; Real: float (mixed) or double.
template <class Real> struct Target {
    Real x[3], v[3], eps2;
    Real close2;  // mixed: pairs up to this distance squared are summed in double
    std::int32_t index;

    Target() = default;
    Target(const IParticle &i, const double *middle, double near2)
    {
        for (int d = 0; d < 3; d++) {
            x[d] = static_cast<Real>(i.x[d] - middle[d]);
            v[d] = static_cast<Real>(i.v[d]);
        }
        const double least = static_cast<double>(kCloseFloat);
        close2 = static_cast<Real>(sizeof(Real) == 4 && near2 > least ? near2 : least);
        eps2 = static_cast<Real>(i.eps2);
        index = i.index;
    }
};

// Sums of one i-particle: ax, ay, az, pot, jx, jy, jz, and one more that stays 0.
struct ListSums {
    double lanes[8] = {};  // times the factors of LaneSums
    double exact[8] = {};
};

// The sums of each lane over kListTerms entries at most.
template <class P, bool jerk> struct LaneSums {
    using V = typename P::V;
    static constexpr double kForce = 1, kPotential = 1;
    typename P::Sums s{};

    G6_INLINE V root(V r2) { return rsqrt(r2); }
    // One pair at a distance d, of square r2 with softening; rinv: root(r2), or 0 for a pair that
    // does not count.
    G6_INLINE void add(LaneSums &b, const V (&d)[3], const typename P::Real (*v)[kListRow], int k,
                       const Target<typename P::Real> &i, V m, V /*r2*/, V rinv)
    {
        if (jerk)
            g6_pair_hermite(&b.s, d[0], d[1], d[2], load<V>(v[0] + k) - i.v[0],
                            load<V>(v[1] + k) - i.v[1], load<V>(v[2] + k) - i.v[2], m, rinv);
        else
            g6_pair_force(&b.s, d[0], d[1], d[2], m, rinv);
    }
    G6_INLINE void flush(const LaneSums &b, double (&out)[8])
    {
        add_lanes(b.s.ax, b.s.ay, b.s.az, b.s.pot, out);
        if (jerk) add_lanes(b.s.jx, b.s.jy, b.s.jz, V{}, out + 4);
    }
};

// Forces in float.
template <> struct LaneSums<Mixed, false> {
    static constexpr double kForce = force_scale(), kPotential = potential_scale();
    ForceSums s{};

    G6_INLINE F root(F r2) { return estimate(r2); }
    G6_INLINE void add(LaneSums &b, const F (&d)[3], const float (*)[kListRow], int,
                       const Target<float> &, F m, F r2, F y)
    {
        add_force(b.s, d[0], d[1], d[2], m, r2, y);
    }
    G6_INLINE void flush(const LaneSums &b, double (&out)[8])
    {
        add_lanes(b.s.ax, b.s.ay, b.s.az, potential(b.s), out);
    }
};

G6_INLINE int between(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

// ---- bodies -------------------------------------------------------------------------------------

G6_INLINE IntF others(const std::int32_t *index, std::int32_t own, const F *)
{
    return load<IntF>(index) != own;
}
G6_INLINE IntD others(const std::int32_t *index, std::int32_t own, const D *)
{
    return __builtin_convertvector(load<HalfInt>(index) != own, IntD);
}

// Adds entries first ... last-1, whole steps of P, on one i-particle.  own: leaves out entries with
// its index.  Mixed: leaves out near entries; `closest` gets the smallest distances squared.
template <class P, bool jerk, bool own>
G6_INLINE void add_bodies(const BodyTile<typename P::Real> &b, int first, int last,
                          const Target<typename P::Real> &i, LaneSums<P, jerk> &s,
                          typename P::V &closest)
{
    using V = typename P::V;
    constexpr bool is_mixed = sizeof(typename P::Real) == 4;
    const V huge = V{} + std::numeric_limits<float>::infinity(), zero{};
    for (int k = first; k < last; k += P::kStep) {
        const V d[3] = {load<V>(b.x[0] + k) - i.x[0], load<V>(b.x[1] + k) - i.x[1],
                        load<V>(b.x[2] + k) - i.x[2]};
        const V r2 = g6_length2(d[0], d[1], d[2]), soft = r2 + i.eps2;
        V rinv = LaneSums<P, jerk>::root(soft);
        if (own) {
            const auto other = others(b.index + k, i.index, static_cast<const V *>(nullptr));
            if (is_mixed) closest = min(closest, other ? r2 : huge);
            rinv = other ? rinv : zero;
        } else if (is_mixed) {
            closest = min(closest, r2);
        }
        rinv = is_mixed ? (r2 > i.close2 ? rinv : zero) : soft > P::kCoincident ? rinv : zero;
        LaneSums<P, jerk>::add(s, d, b.v, k, i, load<V>(b.mass + k), soft, rinv);
    }
}

// Adds the near ones of entries first ... last-1 in double, from the tree's own positions.
template <bool jerk>
__attribute__((noinline)) void add_near(const TreeView &tree, const BodyTile<float> &b, int first,
                                        int last, const IParticle &i, const Target<float> &target,
                                        double (&out)[8])
{
    BodyTile<double> exact;
    int n = 0;
    const auto copy = [&](int k, double mass) {
        const int place = b.place[k];
        for (int d = 0; d < 3; d++) {
            exact.x[d][n] = tree.x[d][place];
            exact.v[d][n] = static_cast<double>(b.v[d][k]);
        }
        exact.mass[n] = mass;
        exact.index[n++] = b.index[k];
    };
    for (int k = first; k < last; k += kLanes) {
        const F r2 =
            g6_length2(load<F>(b.x[0] + k) - target.x[0], load<F>(b.x[1] + k) - target.x[1],
                       load<F>(b.x[2] + k) - target.x[2]);
        if (!any_le(r2, F{} + target.close2)) continue;
        for (int lane = 0; lane < kLanes; lane++)
            if (!(r2[lane] > target.close2)) copy(k + lane, static_cast<double>(b.mass[k + lane]));
    }
    while (n % kListStep) copy(first, 0);
    constexpr double kOrigin[3] = {};
    const Target<double> from(i, kOrigin, 0);
    LaneSums<Full<double>, jerk> s;
    D closest{};
    add_bodies<Full<double>, jerk, true>(exact, 0, n, from, s, closest);
    LaneSums<Full<double>, jerk>::flush(s, out);
}

// Adds a tile's entries on one i-particle.  Entries in `own` may have its index.
template <class P, bool jerk>
G6_INLINE void sum_bodies(const BodyTile<typename P::Real> &b, const Range &own, int count,
                          const ListUser &user, const IParticle &i,
                          const Target<typename P::Real> &target, ListSums &out)
{
    using V = typename P::V;
    for (int first = 0; first < count; first += kListTerms * P::kStep) {
        const int last = between(first + kListTerms * P::kStep, 0, count);
        const int from = between(own.first / P::kStep * P::kStep, first, last),
                  to = between((own.last + P::kStep - 1) / P::kStep * P::kStep, from, last);
        LaneSums<P, jerk> s;
        V closest = V{} + std::numeric_limits<float>::infinity();
        add_bodies<P, jerk, false>(b, first, from, target, s, closest);
        add_bodies<P, jerk, true>(b, from, to, target, s, closest);
        add_bodies<P, jerk, false>(b, to, last, target, s, closest);
        if constexpr (sizeof(typename P::Real) == 4)
            if (any_le(closest, V{} + target.close2))
                add_near<jerk>(*user.tree, b, first, last, i, target, out.exact);
        LaneSums<P, jerk>::flush(s, out.lanes);
    }
}

// ---- cells --------------------------------------------------------------------------------------

// Adds cells, which are far: no entry has to be checked.
template <class P, bool jerk>
G6_INLINE void sum_cells(const CellTile<typename P::Real> &c, int count,
                         const Target<typename P::Real> &i, ListSums &out)
{
    using V = typename P::V;
    for (int first = 0; first < count; first += kListTerms * P::kStep) {
        const int last = between(first + kListTerms * P::kStep, 0, count);
        LaneSums<P, jerk> s;
        for (int k = first; k < last; k += P::kStep) {
            const V d[3] = {load<V>(c.x[0] + k) - i.x[0], load<V>(c.x[1] + k) - i.x[1],
                            load<V>(c.x[2] + k) - i.x[2]};
            const V soft = fma(d[2], d[2], fma(d[1], d[1], fma(d[0], d[0], V{} + i.eps2)));
            LaneSums<P, jerk>::add(s, d, c.v, k, i, load<V>(c.mass + k), soft,
                                   LaneSums<P, jerk>::root(soft));
        }
        LaneSums<P, jerk>::flush(s, out.lanes);
    }
}

template <class P, bool jerk>
G6_INLINE void sum_quadrupoles(const CellTile<typename P::Real> &c, int count,
                               const Target<typename P::Real> &i, ListSums &out)
{
    using V = typename P::V;
    for (int first = 0; first < count; first += kListTerms * P::kStep) {
        const int last = between(first + kListTerms * P::kStep, 0, count);
        typename P::Sums s{};
        for (int k = first; k < last; k += P::kStep) {
            const V d[3] = {load<V>(c.x[0] + k) - i.x[0], load<V>(c.x[1] + k) - i.x[1],
                            load<V>(c.x[2] + k) - i.x[2]};
            const V rinv = rsqrt(g6_length2(d[0], d[1], d[2]) + i.eps2), m = load<V>(c.mass + k);
            g6_cell_quadrupole(&s, d[0], d[1], d[2], m, load<V>(c.s[0] + k), load<V>(c.s[1] + k),
                               load<V>(c.s[2] + k), load<V>(c.s[3] + k), load<V>(c.s[4] + k),
                               load<V>(c.s[5] + k), rinv);
            if (jerk)
                g6_cell_jerk(&s, d[0], d[1], d[2], load<V>(c.v[0] + k) - i.v[0],
                             load<V>(c.v[1] + k) - i.v[1], load<V>(c.v[2] + k) - i.v[2], m, rinv);
        }
        add_lanes(s.ax, s.ay, s.az, s.pot, out.exact);
        if (jerk) add_lanes(s.jx, s.jy, s.jz, V{}, out.exact + 4);
    }
}

// ---- lists --------------------------------------------------------------------------------------

// Entries of tile t, in whole steps.
G6_INLINE int entries(int count, int t)
{
    const int left = count - t * kListTile;
    return left >= kListTile ? kListTile : (left + kListStep - 1) / kListStep * kListStep;
}

template <class P, bool jerk> G6_INLINE void add_result(const ListSums &r, Partial &out)
{
    for (int d = 0; d < 3; d++) {
        out.acc[d] += r.lanes[d] * LaneSums<P, jerk>::kForce + r.exact[d];
        out.jerk[d] += r.lanes[4 + d] * LaneSums<P, jerk>::kForce + r.exact[4 + d];
    }
    out.pot += r.lanes[3] * LaneSums<P, jerk>::kPotential + r.exact[3];
}

// Calls sum(tile, t, entries, k, target, result) for each tile and i-particle number k.  All
// i-particles pass over a tile while it is in the cache.
template <class P, bool jerk, class Tile, class Sum>
G6_INLINE void each(const void *tiles, int count, const ListUser &user, Sum sum)
{
    const auto *tile = static_cast<const Tile *>(tiles);
    Target<typename P::Real> target[kGroupSize];
    ListSums result[kGroupSize];
    for (int k = 0; k < user.n; k++)
        target[k] = Target<typename P::Real>(user.i[k], user.middle, user.near2);
    for (int t = 0; t * kListTile < count; t++) {
        const int m = entries(count, t);
        for (int k = 0; k < user.n; k++) sum(tile[t], t, m, k, target[k], result[k]);
    }
    for (int k = 0; k < user.n; k++) add_result<P, jerk>(result[k], user.out[k]);
}

template <class P, bool jerk>
void bodies(const void *tiles, const Range *own, int count, const ListUser &user)
{
    each<P, jerk, BodyTile<typename P::Real>>(
        tiles, count, user,
        [&](const auto &tile, int t, int n, int k, const auto &i, ListSums &out) {
            sum_bodies<P, jerk>(tile, own[t], n, user, user.i[k], i, out);
        });
}

template <class P, bool jerk, bool quadrupole>
void cells(const void *tiles, int count, const ListUser &user)
{
    each<P, jerk, CellTile<typename P::Real>>(
        tiles, count, user, [](const auto &tile, int, int n, int, const auto &i, ListSums &out) {
            if constexpr (quadrupole)
                sum_quadrupoles<P, jerk>(tile, n, i, out);
            else
                sum_cells<P, jerk>(tile, n, i, out);
        });
}

template <class P> void add(ListKernels &table, int precision)
{
    table.bodies[precision][0] = bodies<P, false>;
    table.bodies[precision][1] = bodies<P, true>;
    table.cells[precision][0][0] = cells<P, false, false>;
    table.cells[precision][0][1] = cells<P, false, true>;
    table.cells[precision][1][0] = cells<P, true, false>;
    table.cells[precision][1][1] = cells<P, true, true>;
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

namespace g6::cpu {

void G6_JOIN(add_list_kernels, G6_ISA)(ListKernels &table)
{
    G6_ISA_NAMESPACE::add<G6_ISA_NAMESPACE::Mixed>(table, 0);
    G6_ISA_NAMESPACE::add<G6_ISA_NAMESPACE::Full<double>>(table, 1);
}

}  // namespace g6::cpu
