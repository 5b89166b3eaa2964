// SPDX-License-Identifier: MIT
// Mixed sums of one tile on one i-particle, mostly with positions split into two floats, for the
// files that are compiled once for each instruction set (G6_ISA).
//
// A tile has a centre c, the middle of its positions' bounding box, and a reach R, half that box's
// diagonal.  u_j = x_j - c and u_i = x_i - c are formed in double, u_j once a prediction and u_i
// once a tile, for all i-particles of a pass together.  They are split into two floats, high + low,
// which hold 48 bits.  The difference of a pair is
//     d = (high_j - high_i) + (low_j - low_i),
// 9 operations on whole vectors of floats.  With differences of doubles it takes 6 on half vectors,
// 6 conversions and 3 insertions: two fifths of a Hermite pair's issue slots on an Intel core.
//
// Precision: high + low is a coordinate to 2^-48 of itself, and low_j - low_i is rounded to 2^-24
// of itself, so that d is off by
//     e = 2^-47 (|u_j| + |u_i|)
// beside 2^-24 |d| for the other two sums.  |u_j| <= R and |u_i| <= R + |d| make e at most
// 2^-46 R + 2^-47 |d|, which is below 2^-24 |d| while |d| >= 2^-21 R.  close2 is the square of that
// distance, or G6_CLOSE (range.h) if that is larger.  A nearer pair is close, and a tile that holds
// one is summed again by differences of doubles (add_exactly).
//     The limit does not depend on the softening eps.  Softening keeps the force
// m d / (d^2 + eps^2)^(3/2) of a close pair small, but its relative error is e / |d| all the same,
// and the other forces on the i-particle may be smaller still.  The loop forms d^2 + eps^2 alone,
// whose smallest value is compared with close2 + eps^2; both have a slack for the roundings of
// these squares.  Where eps^2 > 2^20 close2, some pairs nearer than eps / 700 are taken for close
// without need.
// A lane adds at most kTile / kLanes float terms before they go to sums in double.
//
// Differences of doubles also serve few i-particles, for which splitting takes longer than it
// saves, in the loops of this file.
#pragma once

#include "fetch.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// ---- prediction -------------------------------------------------------------------------------

// Bounding boxes of positions, one for each lane.
struct Box {
    D low[3], high[3];

    G6_MEMBER Box()
    {
        for (int c = 0; c < 3; c++) low[c] = D{} + HUGE_VAL, high[c] = -low[c];
    }
    G6_MEMBER void cover(int c, D x)
    {
        low[c] = min(low[c], x);
        high[c] = max(high[c], x);
    }
};

// The box of the slots that act, so that a sum does not depend on what others hold.
G6_INLINE Box box_of(const Marks &acts, const Predicted<float> &p)
{
    Box box;
    bool any = false;
    for (int k = 0; k < kTile; k++) {
        if (!acts.alive[k]) continue;
        any = true;
        for (int c = 0; c < 3; c++) {
            box.low[c][0] = p.x[c][k] < box.low[c][0] ? p.x[c][k] : box.low[c][0];
            box.high[c][0] = p.x[c][k] > box.high[c][0] ? p.x[c][k] : box.high[c][0];
        }
    }
    for (int c = 0; !any && c < 3; c++) box.cover(c, D{});
    return box;
}

// Squares of distances in float are good to 8 * 2^-24.
constexpr double kSlack = 1 + 1e-6;

// Splits the positions of a predicted tile around the middle of the box.
G6_INLINE void split_in(const Box &box, Predicted<float> &p)
{
    Split<float> &to = p.split;
    double reach2 = 0;
    // Sums as multiply-adds: some processors form sums with the units that convert.
    const D one = D{} + 1;
    for (int c = 0; c < 3; c++) {
        const double least = smallest(box.low[c]), most = -smallest(-box.high[c]);
        const double centre = 0.5 * (least + most), half = 0.5 * (most - least);
        to.centre[c] = centre;
        reach2 += half * half;
        const D minus_centre = D{} - centre;
        for (int k = 0; k < kTile; k += kDoubleLanes) {
            const D u = fma(load<D>(p.x[c] + k), one, minus_centre);
            const HalfF rounded = __builtin_convertvector(u, HalfF);
            *reinterpret_cast<HalfF *>(to.high[c] + k) = rounded;
            *reinterpret_cast<HalfF *>(to.low[c] + k) =
                __builtin_convertvector(fma(-widen(rounded), one, u), HalfF);
        }
    }
    constexpr double kTwoFloats = 1.0 / (1ll << 42);
    const double close2 = kTwoFloats * reach2;
    to.close2 = static_cast<float>((close2 > G6_CLOSE ? close2 : G6_CLOSE) * kSlack);
}

void split(void *predicted)
{
    auto &p = *static_cast<Predicted<float> *>(predicted);
    Box box;
    for (int k = 0; k < kTile; k += kDoubleLanes)
        for (int c = 0; c < 3; c++) box.cover(c, load<D>(p.x[c] + k));
    split_in(box, p);
}

// ---- one tile ---------------------------------------------------------------------------------

// The i-particles of a pass.
struct Bundle {
    double x[3][kBundle];
};

// Distances from an i-particle to entries of a tile, of split positions.
struct SplitDifference {
    // The tile's centre minus the position, for all i-particles of a bundle together.
    struct OfBundle {
        alignas(64) float high[3][kBundle], low[3][kBundle];

        G6_MEMBER void set(const Bundle &bundle, int n, const Predicted<float> &p)
        {
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < n; k += kDoubleLanes) {
                    const D u = p.split.centre[c] - load<D>(bundle.x[c] + k);
                    const HalfF rounded = __builtin_convertvector(u, HalfF);
                    *reinterpret_cast<HalfF *>(high[c] + k) = rounded;
                    *reinterpret_cast<HalfF *>(low[c] + k) =
                        __builtin_convertvector(u - widen(rounded), HalfF);
                }
        }
    };
    F high[3], low[3];  // of one i-particle

    // i-particle number k of the bundle.
    G6_MEMBER SplitDifference(const IParticle &, const OfBundle &bundle, int k)
    {
        for (int c = 0; c < 3; c++) {
            high[c] = splat(bundle.high[c][k]);
            low[c] = splat(bundle.low[c][k]);
        }
    }
    G6_MEMBER F operator()(const Predicted<float> &p, int c, int k) const
    {
        return (load<F>(p.split.high[c] + k) + high[c]) + (load<F>(p.split.low[c] + k) + low[c]);
    }
    // Softened distance squared up to which a pair is close; eps2 has the slack of Split::close2.
    G6_INLINE float close(const Predicted<float> &p, float eps2) { return p.split.close2 + eps2; }
};

// Distances from an i-particle to entries of a tile, by differences of doubles.
struct ExactDifference {
    struct OfBundle {
        G6_MEMBER void set(const Bundle &, int, const Predicted<float> &) {}
    };
    const double *x;

    G6_MEMBER ExactDifference(const IParticle &i, const OfBundle &, int) : x(i.x) {}
    G6_MEMBER F operator()(const Predicted<float> &p, int c, int k) const
    {
        return Mixed::difference(p.x[c] + k, x[c]);
    }
    G6_INLINE float close(const Predicted<float> &, float) { return kCloseFloat; }
};

// What the float loops take of an i-particle besides its position.
struct InFloat {
    float minus_v[3], eps2;

    explicit InFloat(const IParticle &i) : eps2(static_cast<float>(i.eps2))
    {
        for (int c = 0; c < 3; c++) minus_v[c] = -static_cast<float>(i.v[c]);
    }
};

// The float loops of one i-particle over one tile.  For each part one loop forms all distances and
// roots, and a second one the forces: either has few enough values in use for 16 registers, and a
// short chain of operations, of which a processor has several in flight.
template <class Difference, bool jerk> struct FloatSum {
    const Difference difference;
    F v[3], eps2;  // v: of opposite sign
    PairSumsF sums{};
    F closest = splat(std::numeric_limits<float>::infinity());  // softened distance squared

    G6_MEMBER FloatSum(const Difference &d, const InFloat &i) : difference(d), eps2(splat(i.eps2))
    {
        for (int c = 0; c < 3; c++) v[c] = splat(i.minus_v[c]);
    }
    // Adds a tile whose entries all count.
    G6_MEMBER void add(const Predicted<float> &p, Fetch &fetch)
    {
        PairsOfPart<Mixed> pairs;
        for (int k = 0; k < kTile; k += kEntriesAtOnce) {
            fetch.step();
            form_distances(p, k, pairs, [](int, F value, F) { return value; });
            add_forces<Mixed, jerk>(pairs, p, k, v, sums);
        }
    }
    // Adds the entries of a tile that are live and have another index than the i-particle.
    G6_MEMBER void add(const Marks &tile, std::int32_t own, const Predicted<float> &p, Fetch &fetch)
    {
        PairsOfPart<Mixed> pairs;
        for (int k = 0; k < kTile; k += kEntriesAtOnce) {
            fetch.step();
            form_distances(p, k, pairs, [&](int at, F value, F other) {
                return Mixed::mask(tile.alive + at, tile.index + at, own, value, other);
            });
            add_forces<Mixed, jerk>(pairs, p, k, v, sums);
        }
    }

private:
    // Forms the distances of entries first ... first + kEntriesAtOnce-1.  mask(k, value, other):
    // `value`, with `other` in the lanes of those entries from k on that do not count.
    template <class Mask>
    G6_MEMBER void form_distances(const Predicted<float> &p, int first, PairsOfPart<Mixed> &pairs,
                                  Mask mask)
    {
        const F huge = splat(std::numeric_limits<float>::infinity());
        for (int k = 0; k < kEntriesAtOnce; k += kLanes) {
            F d[3];
            for (int c = 0; c < 3; c++) {
                d[c] = difference(p, c, first + k);
                store(pairs.d[c] + k, d[c]);
            }
            const F soft = fma(d[2], d[2], fma(d[1], d[1], fma(d[0], d[0], eps2)));
            closest = min(closest, mask(first + k, soft, huge));
            store(pairs.rinv + k, mask(first + k, rsqrt(soft), F{}));
        }
    }
};

// What the float loops gave for one i-particle and a tile.  It is kept in memory: a processor
// converts half a vector from there in one operation, but half a register in two or three.
template <bool jerk> struct alignas(64) FloatResult {
    static constexpr int kSums = jerk ? 7 : 4;
    float sums[kSums][kLanes];
    float closest[kLanes];  // smallest softened distance squared of each lane

    G6_MEMBER void set(const PairSumsF &s, F smallest_squares)
    {
        const F from[7] = {s.ax, s.ay, s.az, s.pot, s.jx, s.jy, s.jz};
        for (int k = 0; k < kSums; k++) store(sums[k], from[k]);
        store(closest, smallest_squares);
    }
    G6_MEMBER void add_to(Lanes &lanes) const
    {
        D *const to[7] = {&lanes.ax, &lanes.ay, &lanes.az, &lanes.pot,
                          &lanes.jx, &lanes.jy, &lanes.jz};
        for (int k = 0; k < kSums; k++)
            *to[k] += widen(load<HalfF>(sums[k])) + widen(load<HalfF>(sums[k] + kDoubleLanes));
    }
};

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
