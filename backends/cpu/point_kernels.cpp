// SPDX-License-Identifier: MIT
// Sums over short lists of point masses, for calls that take a microsecond; compiled once for each
// instruction set (G6_ISA).  points.h has the layout.
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

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE

#include "point_forces.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// Vectors of any alignment.
typedef double LooseD __attribute__((vector_size(8 * kDoubleLanes), aligned(8)));
typedef float LooseF __attribute__((vector_size(4 * kLanes), aligned(4)));
typedef float LooseHalfF __attribute__((vector_size(4 * kDoubleLanes), aligned(4)));

G6_INLINE D load_loose(const double *p)
{
    return *reinterpret_cast<const LooseD *>(p);
}

G6_INLINE void store(double *p, D v)
{
    *reinterpret_cast<LooseD *>(p) = v;
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

// kDoubleLanes points are read at once, a strip.  Their rows are two vectors of floats.
template <int... k> struct Sequence {
};
template <int n, int... k> struct MakeSequence : MakeSequence<n - 1, n - 1, k...> {
};
template <int... k> struct MakeSequence<0, k...> {
    using Type = Sequence<k...>;
};
using Halves = MakeSequence<kDoubleLanes>::Type;
using Whole = MakeSequence<kLanes>::Type;

template <int... lane> G6_INLINE F join(HalfF a, HalfF b, Sequence<lane...>)
{
#if defined(__AVX512F__)
    return _mm512_insertf32x8(_mm512_castps256_ps512(a), b, 1);
#else
    return __builtin_shufflevector(a, b, lane...);
#endif
}

// Where float k of the rows of a strip comes from: the strip has 3 kDoubleLanes coordinates as they
// were given, and the fourth values behind them.
constexpr int from_strip(int k)
{
    constexpr int kPoints = kDoubleLanes < kPart ? kDoubleLanes : kPart;  // of one block
    const int block = k / (4 * kPoints), c = k / kPoints % 4, point = block * kPoints + k % kPoints;
    return c < 3 ? 3 * point + c : 3 * kDoubleLanes + point;
}
template <int first, int... lane> G6_INLINE F row_of(F ab, F cd, Sequence<lane...>)
{
    return __builtin_shufflevector(ab, cd, from_strip(first + lane)...);
}

G6_INLINE void store(float *p, HalfF v)
{
    *reinterpret_cast<LooseHalfF *>(p) = v;
}

[[maybe_unused]] G6_INLINE void store(float *p, F v)
{
    *reinterpret_cast<LooseF *>(p) = v;
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
#endif

// Sizes of floats as integers, which are in the same order; those of infinities and NaN are above
// all others.
G6_INLINE void note_size(IntF &most, F v)
{
    const IntF bits = reinterpret_cast<IntF>(v) & INT32_MAX;
    most = bits > most ? bits : most;
}
// Three coordinates in the places that coordinates have in vector v of three.
template <int v, int... lane> G6_INLINE D pattern(const double (&x)[3], Sequence<lane...>)
{
    typedef decltype(D{} < D{}) Mask;
    constexpr Mask kFirst = {-((v * kDoubleLanes + lane) % 3 == 0)...},
                   kSecond = {-((v * kDoubleLanes + lane) % 3 == 1)...};
    return kFirst ? D{} + x[0] : kSecond ? D{} + x[1] : D{} + x[2];
}

struct Packing {
    D minus_middle[3];  // in units of length
    D length, fourth;
};

// Of the two vectors of a strip: x | x, and x | fourth.
struct Sizes {
    IntF ab{}, cd{};

    G6_MEMBER Packed result() const
    {
        typedef std::int32_t Int4 __attribute__((vector_size(16)));
        Int4 quarter[2 * kLanes / 4], x{}, fourth{};
        __builtin_memcpy(quarter, &ab, sizeof ab);
        __builtin_memcpy(quarter + kLanes / 4, &cd, sizeof cd);
#if defined(__AVX512F__) || defined(__AVX2__)
        constexpr int kOfX = 2 * kLanes / 4 * 3 / 4;
        for (int k = 0; k < 2 * kLanes / 4; k++) {
            Int4 &most = k < kOfX ? x : fourth;
            most = quarter[k] > most ? quarter[k] : most;
        }
#else
        const Int4 &c = quarter[1];
        x = quarter[0] > Int4{c[0], c[1], 0, 0} ? quarter[0] : Int4{c[0], c[1], 0, 0};
        fourth = Int4{c[2], c[3], 0, 0};
#endif
        // Lanes 0 and 2 of x, 1 and 3 of the fourth values.
        const Int4 low = __builtin_shufflevector(x, fourth, 0, 4, 1, 5),
                   high = __builtin_shufflevector(x, fourth, 2, 6, 3, 7),
                   two = low > high ? low : high,
                   other = __builtin_shufflevector(two, two, 2, 3, 0, 1);
        Int4 most = two > other ? two : other;
        most = most > kInfinity ? Int4{} + kInfinity : most;
        Packed packed;
        __builtin_memcpy(&packed, &most, sizeof packed);
        return packed;
    }
};

// Three vectors of coordinates, and one of fourth values.  Units are powers of two, so that the
// difference from the middle is rounded once.
G6_INLINE void pack_strip(D a, D b, D c, D fourth, const Packing &p, Sizes &most, float *row)
{
    const F ab = join(__builtin_convertvector(fma(a, p.length, p.minus_middle[0]), HalfF),
                      __builtin_convertvector(fma(b, p.length, p.minus_middle[1]), HalfF), Whole()),
            cd = join(__builtin_convertvector(fma(c, p.length, p.minus_middle[2]), HalfF),
                      __builtin_convertvector(fourth * p.fourth, HalfF), Whole());
    note_size(most.ab, ab);
    note_size(most.cd, cd);
    const F first = row_of<0>(ab, cd, Whole()), second = row_of<kLanes>(ab, cd, Whole());
    if constexpr (kDoubleLanes >= kPart) {
        store(row, first);
        store(row + kLanes, second);
    } else {
        HalfF part[4];
        __builtin_memcpy(part, &first, sizeof first);
        __builtin_memcpy(part + 2, &second, sizeof second);
        for (int c4 = 0; c4 < 4; c4++) store(row + c4 * kPart, part[c4]);
    }
}

G6_INLINE float *strip_at(float *rows, int k)
{
    return rows + static_cast<long long>(k / kPart) * kRow + k % kPart;
}

template <bool copied, bool uniform>
G6_INLINE Packed pack_all(const Points &points, const RowUnits &units, float *rows, PointCopy copy)
{
    const double(&m)[3] = units.middle;
    const double l = units.length;
    const D middle[3] = {pattern<0>(m, Halves()), pattern<1>(m, Halves()), pattern<2>(m, Halves())};
    const Packing p = {
        {middle[0] * -l, middle[1] * -l, middle[2] * -l}, D{} + l, D{} + units.fourth};
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
        pack_strip(a, b, c, fourth, p, most, strip_at(rows, k));
    }
    // The last points fill less than a strip; the others lie in the middle.
    if (const int rest = points.n - k; rest > 0) {
        const double *x = points.x[k];
        const auto left = [&](int v) {
            const int n = 3 * rest - v * kDoubleLanes;
            return n > 0 ? n : 0;
        };
        const D a = load_first(x, left(0), middle[0]),
                b = load_first(x + kDoubleLanes, left(1), middle[1]),
                c = load_first(x + 2 * kDoubleLanes, left(2), middle[2]),
                fourth =
                    uniform ? D{} + points.fourth[0] : load_first(points.fourth + k, rest, D{});
        if (copied) {
            double *to = copy.x[k];
            store_first(to, left(0), a);
            store_first(to + kDoubleLanes, left(1), b);
            store_first(to + 2 * kDoubleLanes, left(2), c);
            store_first(copy.fourth + k, rest, fourth);
        }
        pack_strip(a, b, c, fourth, p, most, strip_at(rows, k));
        k += kDoubleLanes;
    }
    if (k % kPart)
        for (int c = 0; c < 4; c++) store(strip_at(rows, k) + c * kPart, HalfF{});
    return most.result();
}

Packed pack(const Points &points, const RowUnits &units, float *rows, PointCopy copy)
{
    return copy.x                      ? pack_all<true, false>(points, units, rows, copy)
           : points.fourth_stride == 0 ? pack_all<false, true>(points, units, rows, copy)
                                       : pack_all<false, false>(points, units, rows, copy);
}

// ---- the estimate of the root ----------------------------------------------------------------------

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
    static constexpr PointKernels table = {usable, largest, pack, sums, near_sums, root_bias};
    return table;
}

}  // namespace g6::cpu
