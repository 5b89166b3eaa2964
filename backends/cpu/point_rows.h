// SPDX-License-Identifier: MIT
// Rows of points (points.h) from positions in double, for the file that is compiled once for each
// instruction set (G6_ISA).
//
// Invariants
//  * Nothing behind the client's last point is read.  In the library's copies, up to kDoubleLanes -
//    1 points behind the last one may be read, and written back unchanged.
//  * Units are powers of two, so that the difference from the middle is rounded once in double and
//    once to float.
#pragma once

#include "points.h"
#include "simd.h"

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

constexpr std::int32_t kInfinityBits = 0x7f800000;  // the bits of a float

// A strip is kDoubleLanes points, which are read at once.  Its rows are two vectors of floats.
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
    return G6_SHUFFLE(a, b, lane...);
#endif
}

// Where float k of the rows of a strip comes from: the strip has 3 kDoubleLanes coordinates as they
// were given, and the fourth values behind them.
constexpr int from_strip(int k)
{
    constexpr int kPoints =
        kDoubleLanes < kBlockPoints ? kDoubleLanes : kBlockPoints;  // of one block
    const int block = k / (4 * kPoints), c = k / kPoints % 4, point = block * kPoints + k % kPoints;
    return c < 3 ? 3 * point + c : 3 * kDoubleLanes + point;
}
template <int first, int... lane> G6_INLINE F row_of(F ab, F cd, Sequence<lane...>)
{
    return G6_SHUFFLE(ab, cd, from_strip(first + lane)...);
}

G6_INLINE void store(float *p, HalfF v)
{
    *reinterpret_cast<LooseHalfF *>(p) = v;
}

[[maybe_unused]] G6_INLINE void store(float *p, F v)
{
    *reinterpret_cast<LooseF *>(p) = v;
}

// The first n elements of v (none where n < 0), and behind them the elements of `others`.
// load_first() reads no element behind the n-th.
#if defined(__AVX512F__)
G6_INLINE __mmask8 first(int n)
{
    const int some = n < 0 ? 0 : n < 8 ? n : 8;
    return static_cast<__mmask8>((1u << some) - 1);
}
G6_INLINE D select_first(int n, D v, D others)
{
    return _mm512_mask_blend_pd(first(n), others, v);
}
G6_INLINE D load_first(const double *p, int n, D others)
{
    return _mm512_mask_loadu_pd(others, first(n), p);
}
#else
G6_INLINE D select_first(int n, D v, D others)
{
    for (int lane = 0; lane < kDoubleLanes && lane < n; lane++) others[lane] = v[lane];
    return others;
}
G6_INLINE D load_first(const double *p, int n, D others)
{
    for (int lane = 0; lane < kDoubleLanes && lane < n; lane++) others[lane] = p[lane];
    return others;
}
#endif
// Stores the first n elements; those behind them stay.
G6_INLINE void store_first(double *p, int n, D v)
{
    store(p, select_first(n, v, load_loose(p)));
}

// Sizes of floats as integers, which are in the same order; infinities and NaN are above all other
// values.
template <class Int, class Real> G6_INLINE void note_size(Int &most, Real v)
{
    const Int bits = reinterpret_cast<Int>(v) & INT32_MAX;
    most = bits > most ? bits : most;
}
// D{} + x would be an addition, which turns -0 into 0.
template <int... lane> G6_INLINE D all(double x, Sequence<lane...>)
{
    return D{(static_cast<void>(lane), x)...};
}
G6_INLINE D all(double x)
{
    return all(x, Halves());
}
// The three coordinates of x, each in the lanes that this coordinate has in vector number v of a
// strip's three vectors.
template <int v, int... lane> G6_INLINE D pattern(const double (&x)[3], Sequence<lane...>)
{
    typedef decltype(D{} < D{}) Mask;
    constexpr Mask kFirst = {-((v * kDoubleLanes + lane) % 3 == 0)...},
                   kSecond = {-((v * kDoubleLanes + lane) % 3 == 1)...};
    return kFirst ? all(x[0]) : kSecond ? all(x[1]) : all(x[2]);
}

struct Packing {
    D minus_middle[3];  // in units of length
    D length, fourth;
};

// Largest sizes by lanes, of the two vectors of a strip: x | x, and x | fourth.
struct RowSizes {
    IntF ab{}, cd{};

    G6_MEMBER Packed result() const
    {
        std::int32_t most[2] = {};  // of x, and of the fourth values
        for (int lane = 0; lane < kLanes; lane++) {
            const std::int32_t last = cd[lane];
            std::int32_t &of_last = most[lane >= kDoubleLanes];
            most[0] = ab[lane] > most[0] ? ab[lane] : most[0];
            of_last = last > of_last ? last : of_last;
        }
        for (std::int32_t &m : most) m = m > kInfinityBits ? kInfinityBits : m;
        Packed packed;
        __builtin_memcpy(&packed, most, sizeof packed);
        return packed;
    }
};

G6_INLINE void pack_strip(D a, D b, D c, D fourth, const Packing &p, RowSizes &most, float *row)
{
    const F ab = join(__builtin_convertvector(fma(a, p.length, p.minus_middle[0]), HalfF),
                      __builtin_convertvector(fma(b, p.length, p.minus_middle[1]), HalfF), Whole()),
            cd = join(__builtin_convertvector(fma(c, p.length, p.minus_middle[2]), HalfF),
                      __builtin_convertvector(fourth * p.fourth, HalfF), Whole());
    note_size(most.ab, ab);
    note_size(most.cd, cd);
    const F first = row_of<0>(ab, cd, Whole()), second = row_of<kLanes>(ab, cd, Whole());
    if constexpr (kDoubleLanes >= kBlockPoints) {
        store(row, first);
        store(row + kLanes, second);
    } else {
        HalfF part[4];
        __builtin_memcpy(part, &first, sizeof first);
        __builtin_memcpy(part + 2, &second, sizeof second);
        for (int c4 = 0; c4 < 4; c4++) store(row + c4 * kBlockPoints, part[c4]);
    }
}

G6_INLINE float *strip_at(float *rows, int k)
{
    return rows + static_cast<long long>(k / kBlockPoints) * kRow + k % kBlockPoints;
}

Packed pack(const Points &points, const RowUnits &units, float *rows, PointCopy copy)
{
    const bool uniform = points.fourth_stride == 0;
    const double(&m)[3] = units.middle;
    const double l = units.length;
    const D middle[3] = {pattern<0>(m, Halves()), pattern<1>(m, Halves()), pattern<2>(m, Halves())};
    const Packing p = {{middle[0] * -l, middle[1] * -l, middle[2] * -l}, all(l), all(units.fourth)};
    RowSizes most;
    int k = 0;
    for (; k + kDoubleLanes <= points.n; k += kDoubleLanes) {
        const double *x = points.x[k];
        const D a = load_loose(x), b = load_loose(x + kDoubleLanes),
                c = load_loose(x + 2 * kDoubleLanes),
                fourth = uniform ? all(points.fourth[0]) : load_loose(points.fourth + k);
        if (copy.x) {
            double *to = copy.x[k];
            store(to, a);
            store(to + kDoubleLanes, b);
            store(to + 2 * kDoubleLanes, c);
            store(copy.fourth + k, fourth);
        }
        pack_strip(a, b, c, fourth, p, most, strip_at(rows, k));
    }
    // The last points fill less than a strip; points at the middle fill the rest.
    if (const int rest = points.n - k; rest > 0) {
        const double *x = points.x[k];
        const auto left = [&](int v) {
            const int n = 3 * rest - v * kDoubleLanes;
            return n > 0 ? n : 0;
        };
        const D a = load_first(x, left(0), middle[0]),
                b = load_first(x + kDoubleLanes, left(1), middle[1]),
                c = load_first(x + 2 * kDoubleLanes, left(2), middle[2]),
                fourth = uniform ? all(points.fourth[0]) : load_first(points.fourth + k, rest, D{});
        if (copy.x) {
            double *to = copy.x[k];
            store_first(to, left(0), a);
            store_first(to + kDoubleLanes, left(1), b);
            store_first(to + 2 * kDoubleLanes, left(2), c);
            store_first(copy.fourth + k, rest, fourth);
        }
        pack_strip(a, b, c, fourth, p, most, strip_at(rows, k));
        k += kDoubleLanes;
    }
    if (k % kBlockPoints)
        for (int c = 0; c < 4; c++) store(strip_at(rows, k) + c * kBlockPoints, HalfF{});
    return most.result();
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
