// SPDX-License-Identifier: MIT
// The search for the nearest neighbour of an i-particle, for the files that are compiled once for
// each instruction set (G6_ISA).
//
// The loops over pairs keep the smallest distance squared of each lane over a tile.  Tiles that may
// hold the nearest neighbour by these are searched in double.  So the answer is exact whatever the
// precision of the sums.
//
// Invariants
//  * A limit is never smaller than the distance squared of the nearest neighbour as the loops form
//    it.
//  * The loops give the squares of entries that count: of live ones with another index.
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

// Squares of distances in float are good to 1e-6, or to their underflow.  The square in float of
// any distance whose square in double is x or less does not exceed this, nor does the square in
// double of any distance whose square in float is x or less.
G6_INLINE float above(double x)
{
    return static_cast<float>(x * (1 + 2e-6)) + 1e-30f;
}

// The tiles that one or several i-particles pass over.
template <class Stored> struct Tiles {
    const Marks *const *marks;
    Predicted<Stored> *predicted;
    int first;          // number of the first tile
    bool in_one_place;  // each tile is predicted to the place of the first

    const Marks &acts(int number) const { return *marks[number]; }
    Predicted<Stored> &at(int number) const { return predicted[in_one_place ? 0 : number]; }
};

// The search of one i-particle's pass over tiles.  It keeps those tiles that may hold the nearest
// neighbour by all squares so far.  It looks into them at the end of the pass, into one tile mostly,
// or when there are kMost.  A tile whose place the next one takes is looked into at once.
class NearestSearch {
public:
    NearestSearch(const IParticle &i, Partial &best)
        : i_(i), best_(best),
          most_(best.nn_slot < 0 ? std::numeric_limits<double>::infinity() : best.nn_r2)
    {
        set_limits();
    }
    // A tile whose smallest square exceeds this does not hold the nearest neighbour.
    float limit() const { return limit_; }
    float softened_limit() const { return softened_limit_; }

    // squares: the smallest square of each lane of a float loop over a tile, with softening.
    template <class Stored>
    __attribute__((noinline)) void add(const Tiles<Stored> &tiles, int number, F squares)
    {
        const float least = smallest(squares), most = above(static_cast<double>(least));
        if (!(least < std::numeric_limits<float>::infinity())) return;  // no entry counts
        if (tiles.in_one_place) {
            const F limit = splat(above(static_cast<double>(most)));
            return look_into(tiles, number, bits_le(squares, limit));
        }
        lower(static_cast<double>(most) - i_.eps2);
        keep(tiles, {number, bits_le(squares, splat(softened_limit_)), least});
    }
    // least: the smallest square of the entries of a tile, without softening.
    template <class Stored> void add(const Tiles<Stored> &tiles, int number, double least)
    {
        if (!(least < std::numeric_limits<double>::infinity())) return;
        if (tiles.in_one_place) return look_into(tiles, number, kAllLanes);
        lower(static_cast<double>(above(least)));
        keep(tiles, {number, kAllLanes, static_cast<float>(least + i_.eps2)});
    }
    // Looks into the tiles that are kept.
    template <class Stored> void settle(const Tiles<Stored> &tiles)
    {
        for (int k = 0; k < kept_; k++) {
            const Candidate &c = candidate_[k];
            if (!(c.least > softened_limit_)) look_into(tiles, c.number, c.lanes);
        }
        kept_ = 0;
    }

private:
    static constexpr int kMost = 4, kFewLanes = 4;
    static constexpr unsigned kAllLanes = ~0u;
    struct Candidate {
        int number;      // of the tile
        unsigned lanes;  // those that may hold the neighbour
        float least;     // smallest square, with softening
    };

    void set_limits()
    {
        limit_ = above(most_);
        softened_limit_ = above(most_ + i_.eps2);
    }
    // The square of the nearest neighbour's distance is x or smaller.
    void lower(double x)
    {
        if (!(x < most_)) return;
        most_ = x > 0 ? x : 0;
        set_limits();
    }
    template <class Stored> void look_into(const Tiles<Stored> &tiles, int number, unsigned lanes)
    {
        const Marks &acts = tiles.acts(number);
        const Predicted<Stored> &tile = tiles.at(number);
        const int first_slot = (tiles.first + number) * kTile;
        if (__builtin_popcount(lanes) > kFewLanes)
            nearest_in_tile(acts, tile, first_slot, i_, best_);
        else
            nearest_in_lanes(acts, tile, first_slot, lanes, i_, best_);
        if (best_.nn_slot >= 0) lower(best_.nn_r2);
    }
    template <class Stored> void keep(const Tiles<Stored> &tiles, const Candidate &added)
    {
        int kept = 0;
        for (int k = 0; k < kept_; k++)
            if (!(candidate_[k].least > softened_limit_)) candidate_[kept++] = candidate_[k];
        candidate_[kept] = added;
        kept_ = kept + 1;
        if (kept_ == kMost) settle(tiles);
    }

    const IParticle &i_;
    Partial &best_;
    double most_;  // no smaller than the square of the nearest neighbour's distance
    float limit_, softened_limit_;
    Candidate candidate_[kMost];
    int kept_ = 0;
};

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
