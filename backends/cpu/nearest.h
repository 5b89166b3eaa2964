// SPDX-License-Identifier: MIT
// The search for the nearest neighbour of an i-particle, for the files that are compiled once for
// each instruction set (G6_ISA).
//
// The loops over pairs keep the smallest distance squared of each lane over a tile.  A tile that
// may hold a nearer neighbour by these is searched in double.  So the answer is exact whatever the
// precision of the sums.
//
// Invariants
//  * A bound is never smaller than the distance squared of the nearest neighbour as the loops form
//    it.
//  * Ties go to the lowest slot, whatever the order of the searches.
#pragma once

#include "sums.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// Exact search for a nearer neighbour in a tile that may hold one; ties stay with the lowest slot.
G6_INLINE void compare_neighbour(const Marks &tile, int k, double r2, int slot, const IParticle &i,
                                 Partial &best)
{
    const bool nearer =
        best.nn_slot < 0 || r2 < best.nn_r2 || (r2 == best.nn_r2 && slot < best.nn_slot);
    if (!nearer || !tile.alive[k] || tile.index[k] == i.index) return;
    best.nn_r2 = r2;
    best.nn_slot = slot;
}

template <class Stored>
__attribute__((noinline)) void nearest_in_tile(const Marks &tile, const Predicted<Stored> &p,
                                               int first_slot, const IParticle &i, Partial &best)
{
    for (int k = 0; k < kTile; k += kDoubleLanes) {
        const D d = g6_length2(load<D>(p.x[0] + k) - i.x[0], load<D>(p.x[1] + k) - i.x[1],
                               load<D>(p.x[2] + k) - i.x[2]);
        if (!any_le(d, D{} + best.nn_r2)) continue;
        for (int lane = 0; lane < kDoubleLanes; lane++)
            compare_neighbour(tile, k + lane, d[lane], first_slot + k + lane, i, best);
    }
}

// The same in some lanes of a float loop: bit l stands for entries l, l + kLanes ... of the tile.
template <class Stored>
__attribute__((noinline)) void nearest_in_lanes(const Marks &tile, const Predicted<Stored> &p,
                                                int first_slot, unsigned lanes, const IParticle &i,
                                                Partial &best)
{
    for (; lanes; lanes &= lanes - 1)
        for (int k = __builtin_ctz(lanes); k < kTile; k += kLanes) {
            const double d[3] = {p.x[0][k] - i.x[0], p.x[1][k] - i.x[1], p.x[2][k] - i.x[2]};
            const double r2 = fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
            compare_neighbour(tile, k, r2, first_slot + k, i, best);
        }
}

G6_INLINE float smallest(F v)
{
    for (int half = kLanes / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++) v[k] = v[k + half] < v[k] ? v[k + half] : v[k];
    return v[0];
}

// Squares of distances in float are good to 1e-6, or to their underflow.  Not below the square in
// float of any distance whose square in double is up to x, and the other way round.
G6_INLINE float above(double x)
{
    return static_cast<float>(x * (1 + 2e-6)) + 1e-30f;
}

// No tile whose smallest float square exceeds this holds the nearest neighbour.
struct SearchBound {
    float r2, softened;
    explicit SearchBound(const Partial &best, double eps2)
        : r2(best.nn_slot < 0 ? std::numeric_limits<float>::infinity() : above(best.nn_r2)),
          softened(best.nn_slot < 0 ? r2 : above(best.nn_r2 + eps2))
    {
    }
};

// The lanes that may hold the pair with the smallest square, of the smallest squares of all lanes.
G6_INLINE unsigned nearest_lanes(F squares)
{
    // From the float square of one pair to its exact one, and from that to the nearest pair's.
    const auto least = static_cast<double>(smallest(squares));
    return bits_le(squares, splat(above(static_cast<double>(above(least)))));
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
