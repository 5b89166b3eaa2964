// SPDX-License-Identifier: MIT
// Sums over rows of point masses (points.h), for the file that is compiled once for each
// instruction set (G6_ISA).
//
// A vector of lanes pairs kVectorTargets targets with the kBlockPoints masses of a block: each
// target has kBlockPoints adjacent lanes, one for each mass.  A block is loaded for all targets at
// once, few masses are padding (70 masses take 72 lanes), and three shuffles and additions add the
// lanes of kVectorTargets targets at once.
//
// Floor: 15 vector operations for kLanes pairs (differences 3, distance 4, estimate of the root 1,
// force 7), of which 9 need a multiply-add unit; loads of a block are shared by all targets of a
// call to add_blocks().  near_sums() also has a comparison and the store of its bits.
// Precision: 1/sqrt is the processor's estimate, without a Newton step: 2^-14 with AVX-512, 2^-11.4
// with AVX2.  Its error is of random sign, so that a sum over hundreds of pairs has a far smaller
// error; the mean error is taken out of the sums (root_bias).  A lane adds at most kPointTerms
// float terms before it is added to a double.
//
// near_sums() also sums pairs that float positions do not resolve.  Coordinates are off by 2^-25 of
// their size.  Where the target is at x and the softened distance is above 2^-10 |x|, the
// difference of two positions is off by at most 2^-13 of that distance (|x| is the largest
// coordinate), which is as good as the estimate.  Nearer pairs are left out and summed in double
// from the positions as they were set.
#pragma once

#include "point_rows.h"
#include "roots.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

#define G6_FN G6_INLINE
#define G6_FMA(a, b, c) fma(a, b, c)
#define G6_REAL F
#define G6_PAIR_SUMS PairSumsF
#include "../../libg6gpu/formulas/pair.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

constexpr int kVectorTargets = kLanes / kBlockPoints;
constexpr int kPointTerms = 128;

// The kVectorTargets values from p on, each repeated in the lanes of its target.
G6_INLINE F spread(const float *p)
{
#if defined(__AVX512F__)
    const __m512i from = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    return _mm512_permutexvar_ps(from, _mm512_castps128_ps512(_mm_load_ps(p)));
#elif defined(__AVX2__)
    return _mm256_set_m128(_mm_broadcast_ss(p + 1), _mm_broadcast_ss(p));
#else
    return splat(*p);
#endif
}

// The kBlockPoints values from p on, repeated for each target.
G6_INLINE F repeat(const float *p)
{
#if defined(__AVX512F__)
    return _mm512_broadcast_f32x4(_mm_load_ps(p));
#elif defined(__AVX2__)
    return _mm256_broadcast_ps(reinterpret_cast<const __m128 *>(p));
#else
    return load<F>(p);
#endif
}

// ---- lanes that are near -----------------------------------------------------------------------

// One bit for each lane, 1 where the pair in the lane is far.
#if defined(__AVX512F__)
typedef std::uint16_t Bits;
constexpr Bits kAllFar = 0xffff;
#else
typedef std::uint8_t Bits;
constexpr Bits kAllFar = (1 << kLanes) - 1;
#endif

// The estimate of 1/sqrt(r2) of far pairs, and 0 of near ones.
G6_INLINE F far_estimate(F r2, F limit2, Bits &far)
{
#if defined(__AVX512F__)
    far = _mm512_cmp_ps_mask(r2, limit2, _CMP_GT_OQ);
    return _mm512_maskz_rsqrt14_ps(far, r2);
#elif defined(__AVX2__)
    const F mask = _mm256_cmp_ps(r2, limit2, _CMP_GT_OQ);
    far = static_cast<Bits>(_mm256_movemask_ps(mask));
    return _mm256_and_ps(mask, estimate(r2));
#else
    far = static_cast<Bits>(kAllFar & ~bits_le(r2, limit2));
    return r2 > limit2 ? estimate(r2) : F{};
#endif
}

// Bits of each of kPointTerms blocks, for each vector of targets.
struct FarBits {
    alignas(64) Bits of[kPointTerms];
};

// A target at the largest coordinate |x| has the limit 2^-10 |x|; kLeastNear keeps 1/s^3 within the
// range of float.
G6_INLINE F near_limit2(F x, F y, F z)
{
    F most = x * x;
    const F y2 = y * y, z2 = z * z;
    most = most > y2 ? most : y2;
    most = (most > z2 ? most : z2) * (1.0f / (1 << 20));
    const F least = splat(kLeastNear * kLeastNear);
    return most > least ? most : least;
}

// With 16 registers the pairs of one vector of targets are finished before those of the next begin:
// the sums fill half of the registers, and a sum that the compiler kept in memory would cost the
// latency of a store and a load for each block.
G6_INLINE void finish_first()
{
#if !defined(__AVX512F__)
    __asm__ volatile("" ::: "memory");
#endif
}

// ---- sums of kPointTerms blocks -----------------------------------------------------------

struct TargetVector {
    F x, y, z, eps2, limit2;
};

// Targets in rows.
struct PackedTargets {
    const float *rows;

    G6_MEMBER TargetVector at(int first, bool)
    {
        const float *at =
            rows + static_cast<long long>(first / kBlockPoints) * kRow + first % kBlockPoints;
        TargetVector t{spread(at),
                       spread(at + kBlockPoints),
                       spread(at + 2 * kBlockPoints),
                       spread(at + 3 * kBlockPoints),
                       {}};
        t.limit2 = near_limit2(t.x, t.y, t.z);
        return t;
    }
    static constexpr bool fit() { return true; }
};

// The coordinates of kVectorTargets targets that do not fit into the first vector, with `others`
// behind them.
G6_INLINE D load_rest(const double *p, D others)
{
#if defined(__AVX512F__)
    return _mm512_insertf64x4(others, _mm256_loadu_pd(p), 0);
#elif defined(__AVX2__)
    return _mm256_insertf128_pd(others, _mm_loadu_pd(p), 0);
#else
    others[0] = p[0];
    return others;
#endif
}

// Coordinate d of each target in the target's lanes.  x: coordinates of all targets, one after
// another.
template <int d, int... lane> G6_INLINE F coordinate(F x, Sequence<lane...>)
{
    return G6_SHUFFLE(x, x, (lane / kBlockPoints * 3 + d)...);
}

// Targets read from the caller's array, with the same bits as from rows.  Notes their largest size.
struct GivenTargets {
    const double (*x)[3];
    const int n;
    const float most;
    const D middle[2], minus_middle[2],
        length;  // of the two vectors that hold kVectorTargets positions
    const F eps2;
    IntF size{};

    G6_MEMBER GivenTargets(const Points &p, const RowUnits &u, float most_)
        : x(p.x), n(p.n),
          most(most_), middle{pattern<0>(u.middle, Halves()), pattern<1>(u.middle, Halves())},
          minus_middle{middle[0] * -u.length, middle[1] * -u.length}, length(all(u.length)),
          eps2(splat(static_cast<float>(p.fourth[0] * (u.length * u.length))))
    {
    }

    // whole: it is known that kVectorTargets targets are there.
    G6_MEMBER TargetVector at(int first, bool whole)
    {
        whole = whole || first + kVectorTargets <= n;
        const double *at = x[first], *const behind = at + kDoubleLanes;
        const int count = 3 * (n - first);
        const D a = whole ? load_loose(at) : load_first(at, count, middle[0]),
                b = whole ? load_rest(behind, middle[1])
                          : load_first(behind, count - kDoubleLanes, middle[1]);
        const F xyz = narrow(fma(a, length, minus_middle[0]), fma(b, length, minus_middle[1]));
        note_size(size, xyz);
        const F x0 = coordinate<0>(xyz, Whole()), x1 = coordinate<1>(xyz, Whole()),
                x2 = coordinate<2>(xyz, Whole());
        return TargetVector{x0, x1, x2, eps2, F{}};
    }
    // Whether the coordinates of all targets so far are within `most`; false where one is NaN.
    G6_MEMBER bool fit() const
    {
        return bits_le(reinterpret_cast<F>(size), splat(most)) == (1u << kLanes) - 1;
    }
};

// Adds up each target's lanes of ax, ay, az and pot, and adds the sums to `out`, or sets `out` to
// them where it is fresh.
G6_INLINE void add_parts(const PairSumsF &s, bool fresh, double (*out)[4])
{
    const F all = quarter_sums(s.ax, s.ay, s.az, s.pot);
    D low = widen_low(all), high = widen_high(all);
    double *const to = out[0], *const behind = to + kDoubleLanes;
    if (!fresh) {
        low += load<D>(to);
        high += load<D>(behind);
    }
    *reinterpret_cast<D *>(to) = low;
    *reinterpret_cast<D *>(behind) = high;
}

// Adds `blocks` blocks, at most kPointTerms, to the sums of the n * kVectorTargets targets from
// `first` on.
template <bool near, int n, class From>
G6_INLINE void add_blocks(const float *rows, int blocks, From &targets, int first, bool fresh,
                          double (*out)[4], FarBits *far)
{
    PairSumsF s[n]{};
    TargetVector t[n];
    for (int k = 0; k < n; k++) t[k] = targets.at(first + k * kVectorTargets, k < n - 1);
    for (int b = 0; b < blocks; b++, rows += kRow) {
        for (int k = 0; k < n; k++) {
            if (k > 0) finish_first();
            const F x = repeat(rows), y = repeat(rows + kBlockPoints),
                    z = repeat(rows + 2 * kBlockPoints), m = repeat(rows + 3 * kBlockPoints);
            const F dx = x - t[k].x, dy = y - t[k].y, dz = z - t[k].z;
            const F r2 = fma(dx, dx, t[k].eps2) + fma(dy, dy, dz * dz);
            if constexpr (near) {
                g6_pair_force(&s[k], dx, dy, dz, m, far_estimate(r2, t[k].limit2, far[k].of[b]));
            } else {
                g6_pair_force(&s[k], dx, dy, dz, m, estimate(r2));
            }
        }
    }
    for (int k = 0; k < n; k++) add_parts(s[k], fresh, out + first + k * kVectorTargets);
}

// ---- near pairs --------------------------------------------------------------------------------

G6_INLINE void add_pair(const PointSource &p, int j, int i, double out[4])
{
    double d[3], s2 = p.targets.fourth[i * p.targets.fourth_stride] * p.length * p.length;
    for (int c = 0; c < 3; c++) {
        d[c] = (p.masses.x[j][c] - p.targets.x[i][c]) * p.length;
        s2 += d[c] * d[c];
    }
    if (!(s2 >= std::numeric_limits<double>::min())) return;  // coincident
    const double m = p.masses.fourth[j] * p.fourth / __builtin_sqrt(s2), f = m / s2 / p.acc_factor;
    for (int c = 0; c < 3; c++) out[c] += f * d[c];
    out[3] += m / p.pot_factor;
}

// Adds the near pairs of blocks from ... from+blocks-1 in double, and returns their number.
inline __attribute__((noinline)) long long add_near(const FarBits &far, int from, int blocks,
                                                    const PointSource &p, int first, int last,
                                                    double (*out)[4])
{
    long long count = 0;
    for (int b = 0; b < blocks; b++) {
        unsigned near = far.of[b] ^ kAllFar;
        for (; near; near &= near - 1) {
            const int lane = __builtin_ctz(near);
            const int i = first + lane / kBlockPoints,
                      j = (from + b) * kBlockPoints + lane % kBlockPoints;
            if (i >= last || j >= p.masses.n) continue;
            add_pair(p, j, i, out[i]);
            count++;
        }
    }
    return count;
}

G6_INLINE bool any_near(const FarBits &far, int blocks)
{
    Bits all = kAllFar;
    for (int b = 0; b < blocks; b++) all &= far.of[b];
    return all != kAllFar;
}

// ---- sums --------------------------------------------------------------------------------------

// Vectors of targets that share the loads of a block: as many as the registers have room for.
#if defined(__AVX512F__)
constexpr int kVectors = 4, kNearVectors = 3;
#else
constexpr int kVectors = 2, kNearVectors = 1;
#endif

// Sums blocks from ... from+blocks-1 on n vectors of targets, of which first ... last-1 are no
// padding.  Returns how many pairs are near.
template <bool near, int n, class From>
G6_INLINE long long add_vectors(const float *rows, int from, int blocks, From &targets, int first,
                                int last, const PointSource *p, double (*out)[4])
{
    rows += static_cast<long long>(from) * kRow;
    if constexpr (near) {
        FarBits far[n];
        add_blocks<true, n>(rows, blocks, targets, first, from == 0, out, far);
        long long count = 0;
        for (int k = 0; k < n; k++)
            if (any_near(far[k], blocks))
                count += add_near(far[k], from, blocks, *p, first + k * kVectorTargets, last, out);
        return count;
    } else {
        add_blocks<false, n>(rows, blocks, targets, first, from == 0, out, nullptr);
        return 0;
    }
}

G6_INLINE void write(int first, int last, const PointResults &r)
{
    for (int k = first; k < last; k++) {
        for (int c = 0; c < 3; c++) r.acc[k][c] = r.sums[k][c] * r.acc_unit;
        r.pot[k] = r.sums[k][3] * r.pot_unit;
    }
}

// Returns how many pairs are near.  Returns -1, and writes nothing, where the targets do not fit.
template <bool near, class From>
G6_INLINE long long sum_all(const float *rows, int masses, From &targets, int first, int last,
                            const PointSource *p, const PointResults &r)
{
    const int end = first + (last - first + kVectorTargets - 1) / kVectorTargets * kVectorTargets;
    const int blocks = (masses + kBlockPoints - 1) / kBlockPoints;
    double(*const out)[4] = r.sums;
    long long count = 0;
    for (int from = 0; from < blocks; from += kPointTerms) {
        const int some = blocks - from < kPointTerms ? blocks - from : kPointTerms;
        constexpr int kMost = near ? kNearVectors : kVectors;
        int k = first;
        for (; k + kMost * kVectorTargets <= end; k += kMost * kVectorTargets)
            count += add_vectors<near, kMost>(rows, from, some, targets, k, last, p, out);
        const int rest = (end - k) / kVectorTargets;
        if constexpr (kMost > 3)
            if (rest == 3)
                count += add_vectors<near, 3>(rows, from, some, targets, k, last, p, out);
        if constexpr (kMost > 2)
            if (rest == 2)
                count += add_vectors<near, 2>(rows, from, some, targets, k, last, p, out);
        if constexpr (kMost > 1)
            if (rest == 1)
                count += add_vectors<near, 1>(rows, from, some, targets, k, last, p, out);
        if (!targets.fit()) return -1;
    }
    write(first, last, r);
    return count;
}

void sums(const float *rows, int n, const float *targets, int first, int last,
          const PointResults &results)
{
    PackedTargets from{targets};
    sum_all<false>(rows, n, from, first, last, nullptr, results);
}

bool sums_of_given(const float *rows, int n, const Points &targets, const RowUnits &units,
                   float most, const PointResults &results)
{
    GivenTargets from(targets, units, most);
    return sum_all<false>(rows, n, from, 0, targets.n, nullptr, results) == 0;
}

long long near_sums(const float *rows, const float *targets, int first, int last,
                    const PointSource &source, const PointResults &results)
{
    PackedTargets from{targets};
    return sum_all<true>(rows, source.masses.n, from, first, last, &source, results);
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
