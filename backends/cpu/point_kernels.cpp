// SPDX-License-Identifier: MIT
// Sums over short lists of point masses, for calls that take a microsecond; compiled once for each
// instruction set (G6_ISA).  points.h has the layout.
//
// Floor: 14 vector operations for kLanes pairs (differences 3, distance 3, estimate of the root 1,
// force 7); loads of the points are shared by kTargets i-particles.
// Precision: 1/sqrt is the processor's estimate, without a Newton step: 2^-14 with AVX-512, 2^-11.4
// with AVX2.  Its error is of random sign, so that a sum over hundreds of pairs has far less; its
// mean is taken out of the sums (root_bias).  A lane adds at most kTerms float terms before it is
// added to a double.
#include "points.h"
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

constexpr int kTerms = 64;
constexpr int kRow = 4 * kLanes;  // floats of a block

// Vectors of any alignment.
typedef double LooseD __attribute__((vector_size(8 * kDoubleLanes), aligned(8)));
typedef float LooseHalfF __attribute__((vector_size(4 * kDoubleLanes), aligned(4)));

G6_INLINE D load_loose(const double *p)
{
    return *reinterpret_cast<const LooseD *>(p);
}

constexpr std::int32_t kInfinity = 0x7f800000;  // the bits of a float
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
typedef std::uint64_t UnsignedD __attribute__((vector_size(8 * kDoubleLanes)));

G6_INLINE D size(D v)
{
    return reinterpret_cast<D>(reinterpret_cast<UnsignedD>(v) & ~kSign);
}

G6_INLINE double lane_maximum(D v)
{
    double most = v[0];
    for (int lane = 1; lane < kDoubleLanes; lane++) most = v[lane] > most ? v[lane] : most;
    return most;
}

// ---- the points as given --------------------------------------------------------------------------

// The sign of each lane tells that its value is 2^1000 or more, an infinity or a NaN.  Integers
// raise no floating-point exception.
constexpr std::uint64_t kLimit = std::uint64_t{1000 + 1023} << 52;
G6_INLINE UnsignedD beyond(D v)
{
    return (reinterpret_cast<UnsignedD>(v) & ~kSign) + (kSign - kLimit);
}
G6_INLINE bool any_sign(UnsignedD v)
{
    std::uint64_t any = 0;
    for (int lane = 0; lane < kDoubleLanes; lane++) any |= v[lane];
    return (any & kSign) != 0;
}

bool usable(const double *values, long long n)
{
    UnsignedD all{};
    long long k = 0;
    for (; k + kDoubleLanes <= n; k += kDoubleLanes) all |= beyond(load_loose(values + k));
    for (; k < n; k++) all |= beyond(D{} + values[k]);
    return !any_sign(all);
}

double largest(const double *values, long long n)
{
    D most{};
    long long k = 0;
    for (; k + kDoubleLanes <= n; k += kDoubleLanes) most = max(most, size(load_loose(values + k)));
    double result = lane_maximum(most);
    for (; k < n; k++) {
        const double one = values[k] < 0 ? -values[k] : values[k];
        result = one > result ? one : result;
    }
    return result;
}

// ---- rows -----------------------------------------------------------------------------------------

template <int... k> struct Sequence {
};
template <int n, int... k> struct MakeSequence : MakeSequence<n - 1, n - 1, k...> {
};
template <int... k> struct MakeSequence<0, k...> {
    using Type = Sequence<k...>;
};
using Lanes = MakeSequence<kDoubleLanes>::Type;

// Coordinate d of the points that three vectors hold.  From the first two vectors come the elements
// that are in them; the other lanes come from the third.
template <int d> constexpr int from_two(int lane)
{
    return 3 * lane + d < 2 * kDoubleLanes ? 3 * lane + d : 0;
}
template <int d> constexpr int from_third(int lane)
{
    return 3 * lane + d < 2 * kDoubleLanes ? lane : 3 * lane + d - kDoubleLanes;
}
template <int d, int... lane> G6_INLINE HalfF coordinate(const HalfF (&v)[3], Sequence<lane...>)
{
    const HalfF two = __builtin_shufflevector(v[0], v[1], from_two<d>(lane)...);
    return __builtin_shufflevector(two, v[2], from_third<d>(lane)...);
}

G6_INLINE void store(float *p, HalfF v)
{
    *reinterpret_cast<LooseHalfF *>(p) = v;
}

G6_INLINE void store(double *p, D v)
{
    *reinterpret_cast<LooseD *>(p) = v;
}

#if defined(__AVX512F__)
// The first n elements, 0 <= n, and `others` behind them.
G6_INLINE D load_first(const double *p, int n, D others)
{
    return _mm512_mask_loadu_pd(others, n < 8 ? (1u << n) - 1 : 255, p);
}
G6_INLINE void store_first(double *p, int n, D v)
{
    _mm512_mask_storeu_pd(p, n < 8 ? (1u << n) - 1 : 255, v);
}
G6_INLINE std::int32_t lane_maximum(HalfInt v)
{
    const __m256i all = reinterpret_cast<__m256i>(v);
    __m128i m = _mm_max_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    return _mm_cvtsi128_si32(_mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
}
#elif defined(__AVX2__)
G6_INLINE __m256i first(int n)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
G6_INLINE D load_first(const double *p, int n, D others)
{
    return _mm256_blendv_pd(others, _mm256_maskload_pd(p, first(n)), _mm256_castsi256_pd(first(n)));
}
G6_INLINE void store_first(double *p, int n, D v)
{
    _mm256_maskstore_pd(p, first(n), v);
}
G6_INLINE std::int32_t lane_maximum(HalfInt v)
{
    __m128i m = reinterpret_cast<__m128i>(v);
    m = _mm_max_epi32(m, _mm_shuffle_epi32(m, 0x4e));
    return _mm_cvtsi128_si32(_mm_max_epi32(m, _mm_shuffle_epi32(m, 0xb1)));
}
#else
G6_INLINE D load_first(const double *p, int n, D others)
{
    for (int lane = 0; lane < kDoubleLanes && lane < n; lane++) others[lane] = p[lane];
    return others;
}
G6_INLINE void store_first(double *p, int n, D v)
{
    for (int lane = 0; lane < kDoubleLanes && lane < n; lane++) p[lane] = v[lane];
}
G6_INLINE std::int32_t lane_maximum(HalfInt v)
{
    return v[0] > v[1] ? v[0] : v[1];
}
#endif

// Sizes of floats as integers, which are in the same order; those of infinities and NaN are above
// all others.
G6_INLINE void note_size(HalfInt &most, HalfF v)
{
    const HalfInt bits = reinterpret_cast<HalfInt>(v) & INT32_MAX;
    most = bits > most ? bits : most;
}
G6_INLINE float largest_size(HalfInt most)
{
    std::int32_t bits = lane_maximum(most);
    if (bits > kInfinity) bits = kInfinity;
    float size;
    __builtin_memcpy(&size, &bits, sizeof size);
    return size;
}

// Three coordinates in the places that coordinates have in vector v of three.
template <int v, int... lane> G6_INLINE D pattern(const double (&x)[3], Sequence<lane...>)
{
    D two{};
    two[0] = x[0];
    two[1] = x[1];
    return __builtin_shufflevector(
        two, D{} + x[2],
        ((v * kDoubleLanes + lane) % 3 < 2 ? (v * kDoubleLanes + lane) % 3 : kDoubleLanes)...);
}

struct Packing {
    D minus_middle[3];  // in units of length
    D length, fourth;
};

struct Sizes {
    HalfInt x{}, fourth{};
};

// Half a block: three vectors of coordinates, and one of fourth values.  Units are powers of two,
// so that the difference from the middle is rounded once.
G6_INLINE void pack_half(D a, D b, D c, D fourth, const Packing &p, Sizes &most, float *row)
{
    const HalfF v[3] = {__builtin_convertvector(fma(a, p.length, p.minus_middle[0]), HalfF),
                        __builtin_convertvector(fma(b, p.length, p.minus_middle[1]), HalfF),
                        __builtin_convertvector(fma(c, p.length, p.minus_middle[2]), HalfF)};
    const HalfF last = __builtin_convertvector(fourth * p.fourth, HalfF);
    for (int k = 0; k < 3; k++) note_size(most.x, v[k]);
    note_size(most.fourth, last);
    store(row, coordinate<0>(v, Lanes()));
    store(row + kLanes, coordinate<1>(v, Lanes()));
    store(row + 2 * kLanes, coordinate<2>(v, Lanes()));
    store(row + 3 * kLanes, last);
}

G6_INLINE float *half_at(float *rows, int k)
{
    return rows + static_cast<long long>(k / kLanes) * kRow + (k % kLanes ? kDoubleLanes : 0);
}

template <bool copied, bool uniform>
G6_INLINE Packed pack_all(const Points &points, const RowUnits &units, float *rows, PointCopy copy)
{
    const double *const m = units.middle;
    const double l = units.length;
    const double minus[3] = {-m[0] * l, -m[1] * l, -m[2] * l};
    const Packing p = {
        {pattern<0>(minus, Lanes()), pattern<1>(minus, Lanes()), pattern<2>(minus, Lanes())},
        D{} + l,
        D{} + units.fourth};
    Sizes most;
    int k = 0;
    for (; k + kDoubleLanes <= points.n; k += kDoubleLanes) {
        const double *x = points.x[k];
        const D a = load_loose(x), b = load_loose(x + kDoubleLanes),
                c = load_loose(x + 2 * kDoubleLanes),
                fourth = uniform ? D{} + points.fourth[0] : load_loose(points.fourth + k);
        if (copied) {
            double *to = copy.x[k];
            store(to, a);
            store(to + kDoubleLanes, b);
            store(to + 2 * kDoubleLanes, c);
            store(copy.fourth + k, fourth);
        }
        pack_half(a, b, c, fourth, p, most, half_at(rows, k));
    }
    // The last points fill less than half a block; the others lie in the middle.
    if (const int rest = points.n - k; rest > 0) {
        const double *x = points.x[k];
        const auto left = [&](int v) {
            const int n = 3 * rest - v * kDoubleLanes;
            return n > 0 ? n : 0;
        };
        const D a = load_first(x, left(0), pattern<0>(units.middle, Lanes())),
                b = load_first(x + kDoubleLanes, left(1), pattern<1>(units.middle, Lanes())),
                c = load_first(x + 2 * kDoubleLanes, left(2), pattern<2>(units.middle, Lanes())),
                fourth =
                    uniform ? D{} + points.fourth[0] : load_first(points.fourth + k, rest, D{});
        if (copied) {
            double *to = copy.x[k];
            store_first(to, left(0), a);
            store_first(to + kDoubleLanes, left(1), b);
            store_first(to + 2 * kDoubleLanes, left(2), c);
            store_first(copy.fourth + k, rest, fourth);
        }
        pack_half(a, b, c, fourth, p, most, half_at(rows, k));
        k += kDoubleLanes;
    }
    if (k % kLanes)
        for (int c = 0; c < 4; c++) store(half_at(rows, k) + c * kLanes, HalfF{});
    return {largest_size(most.x), largest_size(most.fourth)};
}

Packed pack(const Points &points, const RowUnits &units, float *rows, PointCopy copy)
{
    return copy.x                      ? pack_all<true, false>(points, units, rows, copy)
           : points.fourth_stride == 0 ? pack_all<false, true>(points, units, rows, copy)
                                       : pack_all<false, false>(points, units, rows, copy);
}

// ---- sums -----------------------------------------------------------------------------------------

#if defined(__AVX512F__)
constexpr int kTargets = 4;
#else
constexpr int kTargets = 2;
#endif

// The fourth value of a target is eps2.
G6_INLINE const float *target_at(const float *targets, int k)
{
    return targets + static_cast<long long>(k / kLanes) * kRow + k % kLanes;
}

// Adds `blocks` blocks to the sums of n targets from target k on.
template <int n>
G6_INLINE void add_blocks(const float *rows, int blocks, const float *targets, int first,
                          double (*out)[4])
{
    PairSumsF s[n]{};
    const float *i[n];
    for (int k = 0; k < n; k++) i[k] = target_at(targets, first + k);
    for (int b = 0; b < blocks; b++, rows += kRow) {
        const F x = load<F>(rows), y = load<F>(rows + kLanes), z = load<F>(rows + 2 * kLanes),
                m = load<F>(rows + 3 * kLanes);
        for (int k = 0; k < n; k++) {
            const F dx = x - i[k][0], dy = y - i[k][kLanes], dz = z - i[k][2 * kLanes];
            const F r2 = fma(dz, dz, fma(dy, dy, fma(dx, dx, F{} + i[k][3 * kLanes])));
            g6_pair_force(&s[k], dx, dy, dz, m, estimate(r2));
        }
    }
    for (int k = 0; k < n; k++) add_lanes(s[k].ax, s[k].ay, s[k].az, s[k].pot, out[first + k]);
}

void sums(const float *points, int n, const float *targets, int first, int last, double (*out)[4])
{
    for (int k = first; k < last; k++)
        for (int c = 0; c < 4; c++) out[k][c] = 0;
    const int blocks = (n + kLanes - 1) / kLanes;
    for (int from = 0; from < blocks; from += kTerms) {
        const int count = blocks - from < kTerms ? blocks - from : kTerms;
        const float *rows = points + static_cast<long long>(from) * kRow;
        int k = first;
        for (; k + kTargets <= last; k += kTargets)
            add_blocks<kTargets>(rows, count, targets, k, out);
        const int rest = last - k;
        if (rest == 3) add_blocks<3>(rows, count, targets, k, out);
        if (rest == 2) add_blocks<2>(rows, count, targets, k, out);
        if (rest == 1) add_blocks<1>(rows, count, targets, k, out);
    }
}

// Over [1, 4), where the mantissa and the parity of the exponent have all their values.
double measured_root_bias()
{
    constexpr int kSteps = 1 << 14;
    double error = 0;
    for (int k = 0; k < kSteps; k += kLanes) {
        F x{};
        for (int lane = 0; lane < kLanes; lane++)
            x[lane] = std::exp2(2.0f * (static_cast<float>(k + lane) + 0.5f) / kSteps);
        const F y = estimate(x);
        for (int lane = 0; lane < kLanes; lane++)
            error += static_cast<double>(y[lane]) * std::sqrt(static_cast<double>(x[lane])) - 1;
    }
    return error / kSteps;
}

double root_bias()
{
    static const double bias = measured_root_bias();
    return bias;
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

namespace g6::cpu {

const PointKernels &G6_JOIN(point_kernels, G6_ISA)()
{
    using namespace G6_ISA_NAMESPACE;
    static constexpr PointKernels table = {usable, largest, pack, sums, root_bias};
    return table;
}

}  // namespace g6::cpu
