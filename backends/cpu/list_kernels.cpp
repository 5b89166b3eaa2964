// SPDX-License-Identifier: MIT
// Sums over interaction lists of a tree walk; compiled once for each instruction set (G6_ISA).
//
// Floor, mixed acc and pot for kLanes entries: 18 vector operations a cell (differences 3, distance
// 3, root 5, force 7), 51 with the quadrupole, 24 a body, 3 more without softening; the jerk adds
// 14.
// Precision, mixed (see lists.h for what positions lose): the difference of two bodies at u and w
// is off by 2^-47 (|u| + |w|), so that pairs farther apart than 2^-20 |u| are good to 2^-25, as in
// direct sums; nearer ones are summed in double from the tree's own positions.  Cells are good to
// 2^-20.  A lane adds at most kTerms float terms before it is flushed to double.
#include "lists.h"
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

constexpr int kTerms = 32;

// One i-particle; P: Mixed or Full<double>.
template <class P> struct Target {
    using V = typename P::V;
    using Real = typename P::Real;
    V x[3], v[3], low[3], eps2;
    Real close2;   // mixed: pairs up to this softened distance squared are summed in double
    bool careful;  // such pairs, or coincident ones, are not kept away by softening

    Target(const IParticle &i, const double *middle)
    {
        double r2 = 0;
        for (int d = 0; d < 3; d++) {
            const double at = i.x[d] - middle[d];
            r2 += at * at;
            x[d] = V{} + static_cast<Real>(at);
            low[d] = V{} + static_cast<Real>(at - static_cast<double>(static_cast<Real>(at)));
            v[d] = V{} + static_cast<Real>(i.v[d]);
        }
        constexpr double kRelative = 1.0 / (1024.0 * 1024 * 1024 * 1024);
        const double least = static_cast<double>(kCloseFloat), near = r2 * kRelative;
        close2 = static_cast<Real>(sizeof(Real) == 4 && near > least ? near : least);
        eps2 = V{} + static_cast<Real>(i.eps2);
        careful = i.eps2 < static_cast<double>(close2) * (1 + 1e-6);
    }
};

template <class P> G6_INLINE typename P::V lanes_of(const typename P::Real *p)
{
    return values(p, static_cast<const typename P::V *>(nullptr));
}

template <class P, bool jerk>
G6_INLINE void add_pair(typename P::Sums &s, const typename P::V (&d)[3],
                        const typename P::Real (*v)[kListRow], int k, const Target<P> &i,
                        typename P::V m, typename P::V rinv)
{
    if (jerk)
        g6_pair_hermite(&s, d[0], d[1], d[2], lanes_of<P>(v[0] + k) - i.v[0],
                        lanes_of<P>(v[1] + k) - i.v[1], lanes_of<P>(v[2] + k) - i.v[2], m, rinv);
    else
        g6_pair_force(&s, d[0], d[1], d[2], m, rinv);
}

// Distance squared, softened.
template <class V> G6_INLINE V softened(const V (&d)[3], V eps2)
{
    return fma(d[2], d[2], fma(d[1], d[1], fma(d[0], d[0], eps2)));
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

enum Check { kNothing, kClose, kOwn };  // kOwn: self-exclusion, too

// Entries first ... last-1, whole steps of P; smallest softened distance squared in `closest`.
template <class P, bool jerk, Check check>
G6_INLINE void add_bodies(const BodyTile<typename P::Real> &b, int first, int last,
                          const Target<P> &i, std::int32_t own, typename P::Sums &s,
                          typename P::V &closest)
{
    using V = typename P::V;
    const V huge = V{} + std::numeric_limits<float>::infinity(), zero{};
    for (int k = first; k < last; k += P::kStep) {
        V d[3];
        for (int c = 0; c < 3; c++) {
            d[c] = lanes_of<P>(b.x[c] + k) - i.x[c];
            if constexpr (sizeof(typename P::Real) == 4) d[c] += load<V>(b.low[c] + k) - i.low[c];
        }
        const V soft = softened(d, i.eps2);
        V rinv = rsqrt(soft);
        if (check == kOwn) {
            const auto other = others(b.index + k, own, static_cast<const V *>(nullptr));
            closest = min(closest, other ? soft : huge);
            rinv = other ? rinv : zero;
        } else if (check == kClose) {
            closest = min(closest, soft);
        }
        if (check != kNothing) rinv = soft > P::kCoincident ? rinv : zero;
        add_pair<P, jerk>(s, d, b.v, k, i, lanes_of<P>(b.mass + k), rinv);
    }
}

// The same from the tree's own positions, in double.
template <bool jerk>
__attribute__((noinline)) void add_again(const TreeView &tree, const BodyTile<float> &b, int first,
                                         int last, const IParticle &i, Lanes &lanes)
{
    Marks marks;
    Predicted<float> p;
    for (int from = first; from < last; from += kTile) {
        const int n = last - from < kTile ? last - from : kTile;
        for (int k = 0; k < n; k++) {
            for (int d = 0; d < 3; d++) {
                p.x[d][k] = tree.x[d][b.place[from + k]];
                p.v[d][k] = b.v[d][from + k];
            }
            p.mass[k] = b.mass[from + k];
            marks.index[k] = b.index[from + k];
            marks.alive[k] = -1;
        }
        sum_tile<Full<float>, jerk, false, true>(marks, p, 0, n, i, lanes);
    }
}

// Entries of tile t, in whole steps.
G6_INLINE int entries(int count, int t)
{
    const int left = count - t * kListTile;
    return left >= kListTile ? kListTile : (left + kListStep - 1) / kListStep * kListStep;
}

G6_INLINE int between(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

template <class P, bool jerk>
G6_INLINE void sum_bodies(const BodyTile<typename P::Real> &b, const Range &own, int count,
                          const ListUser &user, int k, const Target<P> &target, Lanes &lanes)
{
    const IParticle &i = user.i[k];
    for (int first = 0; first < count; first += kTerms * P::kStep) {
        const int last = between(first + kTerms * P::kStep, 0, count);
        const int from = between(own.first / P::kStep * P::kStep, first, last),
                  to = between((own.last + P::kStep - 1) / P::kStep * P::kStep, from, last);
        typename P::Sums s{};
        typename P::V closest = typename P::V{} + std::numeric_limits<float>::infinity();
        if (target.careful) {
            add_bodies<P, jerk, kClose>(b, first, from, target, i.index, s, closest);
            add_bodies<P, jerk, kOwn>(b, from, to, target, i.index, s, closest);
            add_bodies<P, jerk, kClose>(b, to, last, target, i.index, s, closest);
        } else {
            add_bodies<P, jerk, kNothing>(b, first, from, target, i.index, s, closest);
            add_bodies<P, jerk, kOwn>(b, from, to, target, i.index, s, closest);
            add_bodies<P, jerk, kNothing>(b, to, last, target, i.index, s, closest);
        }
        if constexpr (sizeof(typename P::Real) == 4)
            if (target.careful && any_le(closest, typename P::V{} + target.close2)) {
                add_again<jerk>(*user.tree, b, first, last, i, lanes);
                continue;
            }
        flush<P, jerk>(s, lanes);
    }
}

// ---- cells --------------------------------------------------------------------------------------

// Cells are far: nothing to check.
template <class P, bool jerk, bool quadrupole>
G6_INLINE void add_cells(const CellTile<typename P::Real> &c, int first, int last,
                         const Target<P> &i, typename P::Sums &s)
{
    using V = typename P::V;
    for (int k = first; k < last; k += P::kStep) {
        const V d[3] = {lanes_of<P>(c.x[0] + k) - i.x[0], lanes_of<P>(c.x[1] + k) - i.x[1],
                        lanes_of<P>(c.x[2] + k) - i.x[2]};
        const V rinv = rsqrt(softened(d, i.eps2));
        const V m = lanes_of<P>(c.mass + k);
        if (!quadrupole) {
            add_pair<P, jerk>(s, d, c.v, k, i, m, rinv);
            continue;
        }
        g6_cell_quadrupole(&s, d[0], d[1], d[2], m, lanes_of<P>(c.s[0] + k),
                           lanes_of<P>(c.s[1] + k), lanes_of<P>(c.s[2] + k),
                           lanes_of<P>(c.s[3] + k), lanes_of<P>(c.s[4] + k),
                           lanes_of<P>(c.s[5] + k), rinv);
        if (jerk)
            g6_cell_jerk(&s, d[0], d[1], d[2], lanes_of<P>(c.v[0] + k) - i.v[0],
                         lanes_of<P>(c.v[1] + k) - i.v[1], lanes_of<P>(c.v[2] + k) - i.v[2], m,
                         rinv);
    }
}

template <class P, bool jerk, bool quadrupole>
G6_INLINE void sum_cells(const CellTile<typename P::Real> &c, int count, const Target<P> &i,
                         Lanes &lanes)
{
    for (int first = 0; first < count; first += kTerms * P::kStep) {
        typename P::Sums s{};
        add_cells<P, jerk, quadrupole>(c, first, between(first + kTerms * P::kStep, 0, count), i,
                                       s);
        flush<P, jerk>(s, lanes);
    }
}

// ---- lists --------------------------------------------------------------------------------------

template <bool jerk> G6_INLINE void add_lanes(const Lanes &l, Partial &out)
{
    out.acc[0] += lane_sum(l.ax);
    out.acc[1] += lane_sum(l.ay);
    out.acc[2] += lane_sum(l.az);
    out.pot += lane_sum(l.pot);
    if (!jerk) return;
    out.jerk[0] += lane_sum(l.jx);
    out.jerk[1] += lane_sum(l.jy);
    out.jerk[2] += lane_sum(l.jz);
}

// f(tile, its number, entries, number of the i-particle, lanes), tile after tile for a few
// i-particles.
template <class P, bool jerk, class Tile, class Sum>
G6_INLINE void each(const void *tiles, int count, const ListUser &user, Sum f)
{
    const auto *tile = static_cast<const Tile *>(tiles);
    for (int first = 0; first < user.n; first += kGroup) {
        const int n = user.n - first < kGroup ? user.n - first : kGroup;
        Lanes lanes[kGroup];
        for (int t = 0; t * kListTile < count; t++)
            for (int k = 0; k < n; k++) {
                const Target<P> i(user.i[first + k], user.middle);
                f(tile[t], t, entries(count, t), first + k, i, lanes[k]);
            }
        for (int k = 0; k < n; k++) add_lanes<jerk>(lanes[k], user.out[first + k]);
    }
}

template <class P, bool jerk>
void bodies(const void *tiles, const Range *own, int count, const ListUser &user)
{
    each<P, jerk, BodyTile<typename P::Real>>(
        tiles, count, user,
        [&](const auto &tile, int t, int n, int k, const Target<P> &i, Lanes &lanes) {
            sum_bodies<P, jerk>(tile, own[t], n, user, k, i, lanes);
        });
}

template <class P, bool jerk, bool quadrupole>
void cells(const void *tiles, int count, const ListUser &user)
{
    each<P, jerk, CellTile<typename P::Real>>(
        tiles, count, user,
        [](const auto &tile, int, int n, int, const Target<P> &i, Lanes &lanes) {
            sum_cells<P, jerk, quadrupole>(tile, n, i, lanes);
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
