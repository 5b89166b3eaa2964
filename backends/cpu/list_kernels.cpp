// SPDX-License-Identifier: MIT
// Sums over interaction lists of a tree walk; compiled once for each instruction set (G6_ISA).
//
// Floor, mixed acc and pot for kLanes entries: 33 vector operations a body or monopole, 61 with the
// quadrupole; the jerk adds 14.
// Precision: that of direct sums (sums.h) for both bodies and cells.
#include "sums.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_REAL F
#define G6_PAIR_SUMS PairSumsF
#include "../common/multipole.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#define G6_REAL D
#define G6_PAIR_SUMS PairSumsD
#include "../common/multipole.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

G6_INLINE void add_lanes(const Lanes &l, Partial &out)
{
    const D sums[7] = {l.ax, l.ay, l.az, l.jx, l.jy, l.jz, l.pot};
    for (int c = 0; c < 3; c++) {
        out.acc[c] += lane_sum(sums[c]);
        out.jerk[c] += lane_sum(sums[3 + c]);
    }
    out.pot += lane_sum(sums[6]);
}

// Entries of tile t, in whole steps.
G6_INLINE int entries(int count, int t)
{
    const int left = count - t * kTile;
    return left >= kTile ? kTile : (left + kListStep - 1) / kListStep * kListStep;
}

template <class P, bool jerk>
void bodies(const Marks *marks, const void *tiles, int count, const IParticle *i, int n,
            Partial *out)
{
    using Stored = typename P::Real;
    const auto *p = static_cast<const Predicted<Stored> *>(tiles);
    Lanes lanes[kGroup];
    for (int t = 0; t * kTile < count; t++) {
        const int m = entries(count, t);
        for (int k = 0; k < n; k++) {
            const bool small_eps = i[k].eps2 < static_cast<double>(kCloseFloat);
            if (!needs_check(marks[t], i[k], small_eps)) {
                sum_tile<P, jerk, false, false>(marks[t], p[t], m, i[k], lanes[k]);
                continue;
            }
            const TileResult<P> r =
                sum_tile<P, jerk, false, true>(marks[t], p[t], m, i[k], lanes[k]);
            if (std::is_same<P, Mixed>::value && any_le(r.closest, typename P::V{} + kCloseFloat))
                sum_tile<Full<Stored>, jerk, false, true>(marks[t], p[t], m, i[k], lanes[k]);
        }
    }
    for (int k = 0; k < n; k++) add_lanes(lanes[k], out[k]);
}

// One tile of cells on one i-particle.  Cells are far: nothing to check.
template <class P, bool jerk, bool quadrupole>
G6_INLINE void sum_cells(const CellTile<typename P::Real> &c, int count, const IParticle &i,
                         Lanes &lanes)
{
    using V = typename P::V;
    typename P::Sums sums{};
    const V *const type = nullptr;
    const V eps2 = V{} + static_cast<typename P::Real>(i.eps2);
    const V vx = V{} + static_cast<typename P::Real>(i.v[0]),
            vy = V{} + static_cast<typename P::Real>(i.v[1]),
            vz = V{} + static_cast<typename P::Real>(i.v[2]);
    for (int k = 0; k < count; k += P::kStep) {
        const V dx = P::difference(c.x[0] + k, i.x[0]);
        const V dy = P::difference(c.x[1] + k, i.x[1]);
        const V dz = P::difference(c.x[2] + k, i.x[2]);
        const V rinv = rsqrt(g6_length2(dx, dy, dz) + eps2);
        const V m = values(c.mass + k, type);
        if (quadrupole)
            g6_cell_quadrupole(&sums, dx, dy, dz, m, values(c.s[0] + k, type),
                               values(c.s[1] + k, type), values(c.s[2] + k, type),
                               values(c.s[3] + k, type), values(c.s[4] + k, type),
                               values(c.s[5] + k, type), rinv);
        else if (!jerk)
            g6_pair_force(&sums, dx, dy, dz, m, rinv);
        if (!jerk) continue;
        const V dvx = values(c.v[0] + k, type) - vx, dvy = values(c.v[1] + k, type) - vy,
                dvz = values(c.v[2] + k, type) - vz;
        if (quadrupole)
            g6_cell_jerk(&sums, dx, dy, dz, dvx, dvy, dvz, m, rinv);
        else
            g6_pair_hermite(&sums, dx, dy, dz, dvx, dvy, dvz, m, rinv);
    }
    flush<P, jerk>(sums, lanes);
}

template <class P, bool jerk, bool quadrupole>
void cells(const void *tiles, int count, const IParticle *i, int n, Partial *out)
{
    const auto *c = static_cast<const CellTile<typename P::Real> *>(tiles);
    Lanes lanes[kGroup];
    for (int t = 0; t * kTile < count; t++)
        for (int k = 0; k < n; k++)
            sum_cells<P, jerk, quadrupole>(c[t], entries(count, t), i[k], lanes[k]);
    for (int k = 0; k < n; k++) add_lanes(lanes[k], out[k]);
}

template <class P> void add(Kernels &table, int precision)
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

void G6_JOIN(add_list_kernels, G6_ISA)(Kernels &table)
{
    G6_ISA_NAMESPACE::add<G6_ISA_NAMESPACE::Mixed>(table, 0);
    G6_ISA_NAMESPACE::add<G6_ISA_NAMESPACE::Full<double>>(table, 1);
}

}  // namespace g6::cpu
