// SPDX-License-Identifier: MIT
// Vectors of floats (F, kLanes of them) and of doubles (D, kLanes / 2) for the kernels of the cpu
// device, which are compiled once for each instruction set (G6_ISA).  They are the compiler's
// vector types, with + - * / and comparisons; this header adds the operations that these lack.
// Each instruction set has a namespace of its own, so that no two objects define the same symbol.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#define G6_JOIN2(a, b) a##_##b
#define G6_JOIN(a, b) G6_JOIN2(a, b)
#define G6_ISA_NAMESPACE G6_JOIN(isa, G6_ISA)
#define G6_INLINE static inline __attribute__((always_inline))

// G6_INLINE for member functions, where `static` has another meaning.
#define G6_MEMBER inline __attribute__((always_inline))

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Picks lanes of a and b by their numbers, where lanes of b are numbered after those of a.
#if __has_builtin(__builtin_shufflevector)
#define G6_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
// GCC has the builtin function from version 12 on.  GCC 11 makes the same instructions from single
// elements.
#define G6_SHUFFLE(a, b, ...) shuffled<__VA_ARGS__>(a, b)
#endif

// GCC warns that functions which take vectors wider than the registers have no fixed calling
// convention.  Here all such functions are inlined, so that none is called.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace g6::cpu::G6_ISA_NAMESPACE {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif
constexpr int kDoubleLanes = kLanes / 2;

typedef float F __attribute__((vector_size(4 * kLanes)));
typedef double D __attribute__((vector_size(8 * kDoubleLanes)));
typedef float HalfF __attribute__((vector_size(4 * kDoubleLanes)));
typedef std::int32_t IntF __attribute__((vector_size(4 * kLanes)));        // masks of F: 0 or -1
typedef std::int64_t IntD __attribute__((vector_size(8 * kDoubleLanes)));  // masks of D
typedef std::int32_t HalfInt __attribute__((vector_size(4 * kDoubleLanes)));

#if !__has_builtin(__builtin_shufflevector)
template <class T, int n> struct VectorOf {
    typedef T Type __attribute__((vector_size(n * sizeof(T))));
};
template <int... lane, class V> G6_INLINE auto shuffled(V a, V b)
{
    using Element = std::decay_t<decltype(a[0])>;
    constexpr int n = sizeof(V) / sizeof(Element);
    return typename VectorOf<Element, sizeof...(lane)>::Type{
        (lane < n ? a[lane % n] : b[lane % n])...};
}
#endif

template <class V, class T> G6_INLINE V load(const T *p)
{
    return *reinterpret_cast<const V *>(p);  // aligned: tiles are
}
G6_INLINE void store(float *p, F value)
{
    *reinterpret_cast<F *>(p) = value;
}
G6_INLINE void store(double *p, D value)
{
    *reinterpret_cast<D *>(p) = value;
}
G6_INLINE void store(float *p, D value)
{
    *reinterpret_cast<HalfF *>(p) = __builtin_convertvector(value, HalfF);
}

// min() and max() are one instruction each.
template <class V> G6_INLINE V min(V a, V b)
{
    return a < b ? a : b;
}
template <class V> G6_INLINE V max(V a, V b)
{
    return a > b ? a : b;
}

#if defined(__AVX512F__)
G6_INLINE F fma(F a, F b, F c)
{
    return _mm512_fmadd_ps(a, b, c);
}
G6_INLINE D fma(D a, D b, D c)
{
    return _mm512_fmadd_pd(a, b, c);
}
G6_INLINE F narrow(D lo, D hi)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(lo)), _mm512_cvtpd_ps(hi), 1);
}
G6_INLINE D widen_low(F f)
{
    return _mm512_cvtps_pd(_mm512_castps512_ps256(f));
}
G6_INLINE D widen_high(F f)
{
    return _mm512_cvtps_pd(_mm512_extractf32x8_ps(f, 1));
}
// A bit for each lane.
G6_INLINE unsigned bits_le(F a, F b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ);
}
G6_INLINE unsigned bits_le(D a, D b)
{
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ);
}
// An estimate to 2^-14 and one Newton step: good to 2^-24 or better.
G6_INLINE F rsqrt(F x)
{
    const F y = _mm512_rsqrt14_ps(x);
    const F e = _mm512_fnmadd_ps(x * y, y, _mm512_set1_ps(1.0f));
    return fma(0.5f * y, e, y);
}
// An estimate and two Newton steps: good to 2^-28, then to rounding.
G6_INLINE D rsqrt(D x)
{
    D y = _mm512_rsqrt14_pd(x);
    for (int step = 0; step < 2; step++) {
        const D e = _mm512_fnmadd_pd(x * y, y, _mm512_set1_pd(1.0));
        y = fma(0.5 * y, e, y);
    }
    return y;
}
#elif defined(__AVX2__)
G6_INLINE F fma(F a, F b, F c)
{
    return _mm256_fmadd_ps(a, b, c);
}
G6_INLINE D fma(D a, D b, D c)
{
    return _mm256_fmadd_pd(a, b, c);
}
G6_INLINE F narrow(D lo, D hi)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(hi), _mm256_cvtpd_ps(lo));
}
G6_INLINE D widen_low(F f)
{
    return _mm256_cvtps_pd(_mm256_castps256_ps128(f));
}
G6_INLINE D widen_high(F f)
{
    return _mm256_cvtps_pd(_mm256_extractf128_ps(f, 1));
}
G6_INLINE unsigned bits_le(F a, F b)
{
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)));
}
G6_INLINE unsigned bits_le(D a, D b)
{
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ)));
}
// A 12-bit estimate and a step of third order, 1 + e/2 + 3/8 e^2: relative error below 2^-22, of
// random sign.
G6_INLINE F rsqrt(F x)
{
    const F y = _mm256_rsqrt_ps(x);
    const F e = _mm256_fnmadd_ps(x * y, y, _mm256_set1_ps(1.0f));
    return fma(y * e, fma(_mm256_set1_ps(0.375f), e, _mm256_set1_ps(0.5f)), y);
}
G6_INLINE D rsqrt(D x)
{
    return _mm256_set1_pd(1.0) / _mm256_sqrt_pd(x);
}
#else
// Any other processor: only the compiler's vector types, and a multiplication and an addition where
// there is no fused instruction.
template <class V> G6_INLINE V fma(V a, V b, V c)
{
#ifdef __FP_FAST_FMA
    V r;
    for (unsigned k = 0; k < sizeof(V) / sizeof(a[0]); k++) r[k] = std::fma(a[k], b[k], c[k]);
    return r;
#else
    return a * b + c;
#endif
}
template <class V> G6_INLINE unsigned bits_le(V a, V b)
{
    const auto m = a <= b;
    unsigned bits = 0;
    for (unsigned k = 0; k < sizeof(V) / sizeof(a[0]); k++) bits |= m[k] ? 1u << k : 0u;
    return bits;
}
G6_INLINE F narrow(D lo, D hi)
{
    return G6_SHUFFLE(__builtin_convertvector(lo, HalfF), __builtin_convertvector(hi, HalfF), 0, 1,
                      2, 3);
}
G6_INLINE D widen_low(F f)
{
    return __builtin_convertvector(G6_SHUFFLE(f, f, 0, 1), D);
}
G6_INLINE D widen_high(F f)
{
    return __builtin_convertvector(G6_SHUFFLE(f, f, 2, 3), D);
}
template <class V> G6_INLINE V rsqrt(V x)
{
    V r;
    for (unsigned k = 0; k < sizeof(V) / sizeof(x[0]); k++) r[k] = std::sqrt(x[k]);
    return (V{} + 1) / r;
}
#endif
// The smallest lane.
template <class V> G6_INLINE auto smallest(V v)
{
    auto least = v[0];
    for (unsigned k = 1; k < sizeof(V) / sizeof(v[0]); k++) least = v[k] < least ? v[k] : least;
    return least;
}
template <class V> G6_INLINE bool any_le(V a, V b)
{
    return bits_le(a, b) != 0;
}
// Rounds as the vectors' fma does.  clang defines only __FMA__, the instruction set.
G6_INLINE double fma(double a, double b, double c)
{
#if defined(__FP_FAST_FMA) || defined(__FMA__)
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

// One instruction with AVX2 or AVX-512; compilers turn __builtin_convertvector() into three.
G6_INLINE D widen(HalfF f)
{
#if defined(__AVX512F__)
    return _mm512_cvtps_pd(f);
#elif defined(__AVX2__)
    return _mm256_cvtps_pd(f);
#else
    return __builtin_convertvector(f, D);
#endif
}

G6_INLINE F splat(float x)
{
    return x - F{};
}

G6_INLINE D clamp(D x, double limit)
{
    return max(min(x, D{} + limit), D{} - limit);
}

}  // namespace g6::cpu::G6_ISA_NAMESPACE
