// SPDX-License-Identifier: MIT
// The sum of one tile on one i-particle, in both precisions, for the files that are compiled once
// for each instruction set (G6_ISA).
//
// Precision, mixed: differences of doubles rounded once to float; a lane adds at most kTile /
// kLanes float terms before it is flushed to double, so the sum keeps the 2^-24 of its terms.  A
// tile with a pair so close that float would overflow is summed in double.
#pragma once

#include "simd.h"
#include "tiles.h"

#include "../../libg6gpu/formulas/range.h"

#include <limits>
#include <type_traits>

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_FN G6_INLINE
#define G6_FMA(a, b, c) fma(a, b, c)

#define G6_REAL F
#define G6_PAIR_SUMS PairSumsF
#include "../../libg6gpu/formulas/pair.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#define G6_REAL D
#define G6_PAIR_SUMS PairSumsD
#include "../../libg6gpu/formulas/pair.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

// ---- the two precisions -----------------------------------------------------------------------

// Mixed: pairs in float, kLanes at a time.
struct Mixed {
    using Real = float;
    using V = F;
    using Sums = PairSumsF;
    using Lane = float;
    static constexpr int kStep = kLanes;
    static constexpr float kCoincident = 0;
    G6_INLINE V difference(const double *p, double from)
    {
        return narrow(load<D>(p) - from, load<D>(p + kDoubleLanes) - from);
    }
    G6_INLINE V mask(const std::int32_t *alive, const std::int32_t *index, std::int32_t own,
                     V value, V other)
    {
        const IntF keep = load<IntF>(alive) & (load<IntF>(index) != own);
        return keep ? value : other;
    }
    G6_INLINE D total(V v) { return widen_low(v) + widen_high(v); }
};

// Double: all in double, half as many lanes.  Stored may be float where a mixed tile is summed
// again in double.
template <class Stored> struct Full {
    using Real = Stored;
    using V = D;
    using Sums = PairSumsD;
    using Lane = double;
    static constexpr int kStep = kDoubleLanes;
    static constexpr double kCoincident = G6_COINCIDENT;
    G6_INLINE V difference(const double *p, double from) { return load<D>(p) - from; }
    G6_INLINE V mask(const std::int32_t *alive, const std::int32_t *index, std::int32_t own,
                     V value, V other)
    {
        const HalfInt keep = load<HalfInt>(alive) & (load<HalfInt>(index) != own);
        return __builtin_convertvector(keep, IntD) ? value : other;
    }
    G6_INLINE D total(V v) { return v; }
};

G6_INLINE F values(const float *p, const F *)
{
    return load<F>(p);
}
G6_INLINE D values(const double *p, const D *)
{
    return load<D>(p);
}
G6_INLINE D values(const float *p, const D *)
{
    return widen(load<HalfF>(p));
}

// A tile with a pair up to this softened distance squared is summed in double; see range.h.
constexpr float kCloseFloat = static_cast<float>(G6_CLOSE);

// ---- one tile ---------------------------------------------------------------------------------

// Lanes of one i-particle's sums, in double.
struct Lanes {
    D ax, ay, az, jx, jy, jz, pot;

    // For `lanes = Lanes{}` GCC 12 takes an instruction (rep stos) of 40 ns, as long as 60 pairs.
    G6_MEMBER void clear() { ax = ay = az = jx = jy = jz = pot = D{}; }
};

template <class P, bool jerk> G6_INLINE void flush(const typename P::Sums &s, Lanes &lanes)
{
    lanes.ax += P::total(s.ax);
    lanes.ay += P::total(s.ay);
    lanes.az += P::total(s.az);
    lanes.pot += P::total(s.pot);
    if (jerk) {
        lanes.jx += P::total(s.jx);
        lanes.jy += P::total(s.jy);
        lanes.jz += P::total(s.jz);
    }
}

// The loops over pairs serve kEntriesAtOnce entries at once.
constexpr int kEntriesAtOnce = 128, kParts = kTile / kEntriesAtOnce;

// d: distance vector of each pair; rinv: 1 / softened distance, or 0 where the pair does not count.
template <class P> struct alignas(64) PairsOfPart {
    typename P::Lane d[3][kEntriesAtOnce], rinv[kEntriesAtOnce];
};

// Adds the forces of the pairs with entries first ... first + kEntriesAtOnce-1.  v: velocity of the
// i-particle, of opposite sign.
template <class P, bool jerk, class Stored>
G6_INLINE void add_forces(const PairsOfPart<P> &pairs, const Predicted<Stored> &p, int first,
                          const typename P::V v[3], typename P::Sums &sums)
{
    using V = typename P::V;
    const V *const type = nullptr;
    for (int k = 0; k < kEntriesAtOnce; k += P::kStep) {
        const V dx = load<V>(pairs.d[0] + k), dy = load<V>(pairs.d[1] + k),
                dz = load<V>(pairs.d[2] + k), rinv = load<V>(pairs.rinv + k),
                m = values(p.mass + first + k, type);
        if (jerk)
            g6_pair_hermite(&sums, dx, dy, dz, values(p.v[0] + first + k, type) + v[0],
                            values(p.v[1] + first + k, type) + v[1],
                            values(p.v[2] + first + k, type) + v[2], m, rinv);
        else
            g6_pair_force(&sums, dx, dy, dz, m, rinv);
    }
}

template <class P> struct TileResult {
    typename P::V nearest;  // smallest unsoftened r2 in each lane
    typename P::V closest;  // smallest softened r2, checked tiles only
};

// Adds entries first ... last-1 of one tile to the lanes of one i-particle.  checked:
// self-exclusion, empty slots and coincident pairs.
template <class P, bool jerk, bool near, bool checked, class Stored>
G6_INLINE TileResult<P> sum_tile(const Marks &tile, const Predicted<Stored> &p, int first, int last,
                                 const IParticle &i, Lanes &lanes)
{
    using V = typename P::V;
    typename P::Sums s{};
    const V eps2 = V{} + static_cast<typename P::Lane>(i.eps2);
    const V huge = V{} + std::numeric_limits<float>::infinity();
    const V v[3] = {V{} - static_cast<Stored>(i.v[0]), V{} - static_cast<Stored>(i.v[1]),
                    V{} - static_cast<Stored>(i.v[2])};
    TileResult<P> result{huge, huge};
    PairsOfPart<P> pairs;
    for (int part = first; part < last; part += kEntriesAtOnce) {
        for (int at = 0; at < kEntriesAtOnce; at += P::kStep) {
            const int k = part + at;
            V d[3];
            for (int c = 0; c < 3; c++) {
                d[c] = P::difference(p.x[c] + k, i.x[c]);
                store(pairs.d[c] + at, d[c]);
            }
            V r2 = g6_length2(d[0], d[1], d[2]);
            V soft = r2 + eps2;
            if (checked) {
                r2 = P::mask(tile.alive + k, tile.index + k, i.index, r2, huge);
                soft = P::mask(tile.alive + k, tile.index + k, i.index, soft, huge);
                result.closest = min(result.closest, soft);  // 0 where a float square vanished, too
                soft = soft > P::kCoincident ? soft : huge;
            }
            const V rinv = rsqrt(soft);
            store(pairs.rinv + at, checked ? (soft < huge ? rinv : V{}) : rinv);
            if (near) result.nearest = min(result.nearest, r2);
        }
        add_forces<P, jerk>(pairs, p, part, v, s);
    }
    if (checked && std::is_same<P, Mixed>::value && any_le(result.closest, V{} + kCloseFloat))
        return result;
    flush<P, jerk>(s, lanes);
    return result;
}

// Whether some entry of the tile may not count: an empty slot, or the i-particle itself.
G6_INLINE bool may_exclude(const Marks &tile, const IParticle &i)
{
    return tile.live < kTile || (i.index >= tile.low_index && i.index <= tile.high_index);
}

// The sum of the lanes of each vector: lane k of the result is that of v[k].
G6_INLINE D lane_sums(const D *v)
{
#if defined(__AVX512F__)
    D two[4], four[2];
    for (int k = 0; k < 4; k++)
        two[k] = G6_SHUFFLE(v[2 * k], v[2 * k + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
                 G6_SHUFFLE(v[2 * k], v[2 * k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    for (int k = 0; k < 2; k++)
        four[k] = G6_SHUFFLE(two[2 * k], two[2 * k + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
                  G6_SHUFFLE(two[2 * k], two[2 * k + 1], 2, 3, 10, 11, 6, 7, 14, 15);
    return G6_SHUFFLE(four[0], four[1], 0, 1, 2, 3, 8, 9, 10, 11) +
           G6_SHUFFLE(four[0], four[1], 4, 5, 6, 7, 12, 13, 14, 15);
#elif defined(__AVX2__)
    const D a = G6_SHUFFLE(v[0], v[1], 0, 4, 2, 6) + G6_SHUFFLE(v[0], v[1], 1, 5, 3, 7);
    const D b = G6_SHUFFLE(v[2], v[3], 0, 4, 2, 6) + G6_SHUFFLE(v[2], v[3], 1, 5, 3, 7);
    return G6_SHUFFLE(a, b, 0, 1, 4, 5) + G6_SHUFFLE(a, b, 2, 3, 6, 7);
#else
    return G6_SHUFFLE(v[0], v[1], 0, 2) + G6_SHUFFLE(v[0], v[1], 1, 3);
#endif
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
