// SPDX-License-Identifier: MIT
// The search for the nearest neighbour of an i-particle, for the files that are compiled once for
// each instruction set (G6_ISA).
//
// The loops over pairs give the smallest distance squared of each lane over a tile.  Lane l of a
// tile has entries l, l + lanes, l + 2 lanes ...  Over all tiles of a pass the search keeps the
// smallest square of each lane, the tile that it belongs to, and the second smallest; no branch
// depends on these squares.  At the end of the pass the search forms, in double, the squares of
// the entries of each lane whose smallest square may belong to the nearest neighbour, mostly of one
// lane in one tile.  A lane whose second smallest square may belong to it, too, is searched in all
// tiles.  So the answer is exact whatever the precision of the sums.  Where each tile is predicted
// to the memory of the tile before it (Prediction::reuses_tile), a tile that may hold a nearer
// entry is searched at once.
//
// Invariants
//  * All squares up to a limit are searched.  The limit is never smaller than the distance squared
//    of the nearest neighbour as the loops form it.
//  * The loops give squares only of entries that count: of live entries whose index is not the
//    i-particle's.
//  * Ties go to the lowest slot, whatever the order of the searches.
#pragma once

#include "sums.h"

#include <cstring>

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// Makes entry k of a tile the nearest neighbour if it counts and is nearer than the best so far, or
// as near and of a lower slot.
G6_INLINE void compare_neighbour(const Marks &tile, int k, double r2, int slot, const IParticle &i,
                                 Partial &best)
{
    const bool nearer =
        best.nn_slot < 0 || r2 < best.nn_r2 || (r2 == best.nn_r2 && slot < best.nn_slot);
    if (!nearer || !tile.alive[k] || tile.index[k] == i.index) return;
    best.nn_r2 = r2;
    best.nn_slot = slot;
}

// Compares all entries of a tile, by distances in double.
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

// Compares the entries lane, lane + lanes, lane + 2 lanes ... of a tile, by distances in double.
template <int lanes, class Stored>
__attribute__((noinline)) void nearest_in_lane(const Marks &tile, const Predicted<Stored> &p,
                                               int first_slot, int lane, const IParticle &i,
                                               Partial &best)
{
    const auto square = [&](int k) {
        const double d[3] = {p.x[0][k] - i.x[0], p.x[1][k] - i.x[1], p.x[2][k] - i.x[2]};
        return fma(d[2], d[2], fma(d[1], d[1], d[0] * d[0]));
    };
    if (may_exclude(tile, i)) {
        for (int k = lane; k < kTile; k += lanes)
            compare_neighbour(tile, k, square(k), first_slot + k, i, best);
        return;
    }
    // Squares are compared as integers, for which compilers make no branch: processors would often
    // mispredict it.
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    int nearest = 0;
    for (int k = lane; k < kTile; k += lanes) {
        const double r2 = square(k);
        std::int64_t bits;
        std::memcpy(&bits, &r2, sizeof bits);
        const bool nearer = bits < least;
        least = nearer ? bits : least;
        nearest = nearer ? k : nearest;
    }
    compare_neighbour(tile, nearest, square(nearest), first_slot + nearest, i, best);
}

// The tiles that one or several i-particles pass over.
template <class Stored> struct Tiles {
    const Marks *const *marks;
    Predicted<Stored> *predicted;
    int first;         // number of the first tile
    bool reuses_tile;  // each tile is predicted to the memory of the first

    const Marks &acts(int number) const { return *marks[number]; }
    Predicted<Stored> &at(int number) const { return predicted[reuses_tile ? 0 : number]; }
};

// Squares of distances in float are good to 1e-6, or to their underflow.  The square in float of
// any distance whose square in double is x or less does not exceed above(x), nor does the square in
// double of any distance whose square in float is x or less.  Squares in double are the same in the
// loops and in the search.
G6_INLINE float above(double x, const float *)
{
    return static_cast<float>(x * (1 + 2e-6)) + 1e-30f;
}
G6_INLINE double above(double x, const double *)
{
    return x;
}

// The search of one i-particle's pass over tiles.  Real: the type of the loops' squares.  Float
// loops form softened squares only: the longer the softening is, the more lanes may hold the
// nearest neighbour.
template <class Real> class NearestSearch {
public:
    using V = std::conditional_t<sizeof(Real) == sizeof(float), F, D>;

    NearestSearch(const IParticle &i, Partial &best)
        : i_(i), best_(best), softening2_(sizeof(Real) == sizeof(float) ? i.eps2 : 0)
    {
        note_known();
        least_ = second_ = V{} + std::numeric_limits<Real>::infinity();
        number_ = V{};
    }
    // squares: the smallest of each lane over the entries of tile `number` that count.
    template <class Stored> G6_MEMBER void note(const Tiles<Stored> &tiles, int number, V squares)
    {
        if (tiles.reuses_tile) {  // the next tile takes the memory of this one
            if (any_le(squares, V{} + known_)) look_at_once(tiles, number, squares);
            return;
        }
        second_ = min(second_, max(least_, squares));
        number_ = squares < least_ ? V{} + static_cast<Real>(number) : number_;
        least_ = min(least_, squares);
    }
    // Ends a pass over `count` tiles.
    template <class Stored>
    __attribute__((noinline)) void finish(const Tiles<Stored> &tiles, int count)
    {
        if (tiles.reuses_tile) return;
        const Real least = smallest(least_), most = limit(least);
        if (!(least <= most)) return;
        const unsigned again = bits_le(second_, V{} + most);
        for (unsigned lanes = bits_le(least_, V{} + most) & ~again; lanes; lanes &= lanes - 1) {
            const int lane = __builtin_ctz(lanes);
            look_into(tiles, static_cast<int>(number_[lane]), 1u << lane);
        }
        for (int number = 0; again && number < count; number++) look_into(tiles, number, again);
    }

private:
    static constexpr int kOfVector = sizeof(V) / sizeof(Real), kFewLanes = 4;

    // An upper limit of the square that the loops form for the nearest neighbour; -1 where no entry
    // counts.  least: the smallest square so far.
    Real limit(Real least) const
    {
        const Real *const type = nullptr;
        if (!(least < std::numeric_limits<Real>::infinity())) return -1;
        const Real most = above(static_cast<double>(above(static_cast<double>(least), type)), type);
        return most < known_ ? most : known_;
    }
    void note_known()
    {
        const Real *const type = nullptr;
        if (best_.nn_slot >= 0) known_ = above(best_.nn_r2 + softening2_, type);
    }
    template <class Stored>
    __attribute__((noinline)) void look_at_once(const Tiles<Stored> &tiles, int number, V squares)
    {
        const Real most = limit(smallest(squares));
        look_into(tiles, number, bits_le(squares, V{} + most));
        note_known();
    }
    template <class Stored> void look_into(const Tiles<Stored> &tiles, int number, unsigned lanes)
    {
        const Marks &acts = tiles.acts(number);
        const Predicted<Stored> &tile = tiles.at(number);
        const int first_slot = (tiles.first + number) * kTile;
        if (__builtin_popcount(lanes) > kFewLanes)
            return nearest_in_tile(acts, tile, first_slot, i_, best_);
        for (; lanes; lanes &= lanes - 1)
            nearest_in_lane<kOfVector>(acts, tile, first_slot, __builtin_ctz(lanes), i_, best_);
    }

    const IParticle &i_;
    Partial &best_;
    const double softening2_;
    Real known_ = std::numeric_limits<Real>::infinity();  // limit by the best found so far
    V least_, second_, number_;  // of each lane: smallest squares, and the tile of the smallest
};

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
