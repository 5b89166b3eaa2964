// SPDX-License-Identifier: MIT
// Forces of pairs from the processor's estimate of 1/sqrt, and sums over the lanes of vectors; for
// files that are compiled once for each instruction set (G6_ISA).
//
// An estimate y of 1/sqrt(r2) is off by a relative error of at most 2^-14 with AVX-512 and 2^-11.4
// with AVX2.  With h = r2 y^2, which is near 1, the exact force follows from a series in 1 - h:
//     AVX-512   r2^(-3/2) = y^3 (5/2 - 3/2 h)                      to 2^-25
//     AVX2      r2^(-3/2) = y^3 (35/8 - 21/4 h + 15/8 h^2)         to 2^-30
// The coefficient of the highest power of h is left out of each pair and multiplies the sum
// (force_scale).  This is cheaper than a Newton step on y followed by its third power: AVX-512
// executes 12 instructions on its multiply-add units for a vector of pairs instead of 14.  SSE2 has
// a Newton step.
#pragma once

#include "simd.h"

namespace g6::cpu::G6_ISA_NAMESPACE {
namespace {

// ---- estimates ----------------------------------------------------------------------------------

#if defined(__AVX512F__)
G6_INLINE F estimate(F x)
{
    return _mm512_rsqrt14_ps(x);
}
#elif defined(__AVX2__)
G6_INLINE F estimate(F x)
{
    return _mm256_rsqrt_ps(x);
}
#else
G6_INLINE F estimate(F x)
{
    return rsqrt(x);
}
#endif

// ---- forces -------------------------------------------------------------------------------------

// Sums over pairs: acc is (ax, ay, az) force_scale(), pot is potential() potential_scale().
struct ForceSums {
    F ax, ay, az, pot;
#if defined(__AVX512F__)
    F rest;  // of pot
#endif
};

#if defined(__AVX512F__)
constexpr float kFive3 = 5.0f / 3;
#elif defined(__AVX2__)
constexpr float kTwo8 = 2.8f, kSeven3 = 7.0f / 3;
#endif

// In double, from the constants as float rounds them.
constexpr double force_scale()
{
#if defined(__AVX512F__)
    return 1 / (static_cast<double>(kFive3) - 1);
#elif defined(__AVX2__)
    return 1 / (1 - static_cast<double>(kTwo8) + static_cast<double>(kSeven3));
#else
    return 1;
#endif
}

// y: estimate(r2), or 0 for a pair that does not count.
G6_INLINE void add_force(ForceSums &s, F dx, F dy, F dz, F m, [[maybe_unused]] F r2, F y)
{
    const F my = m * y;
#if defined(__AVX512F__)
    // m r2^(-1/2) = y m (3/2 - h/2): potential() forms it from the sums of m y and of mh.
    const F y2 = y * y, mh = my * fma(-r2, y2, F{} + kFive3), f = mh * y2;
    s.pot += my;
    s.rest += mh;
#elif defined(__AVX2__)
    const F y2 = y * y, h = r2 * y2, f = my * fma(h, h - kTwo8, F{} + kSeven3) * y2;
    s.pot = fma(f, r2, s.pot);
#else
    const F f = my * (y * y);
    s.pot += my;
#endif
    s.ax = fma(f, dx, s.ax);
    s.ay = fma(f, dy, s.ay);
    s.az = fma(f, dz, s.az);
}

G6_INLINE F potential(const ForceSums &s)
{
#if defined(__AVX512F__)
    // mh = my (5/3 - h); 5/3 as rounded has so few bits that the factor of pot is exact.
    return fma(F{} + 0.5f, s.rest, s.pot * (1 - (kFive3 - 1) / 2));
#else
    return s.pot;
#endif
}

constexpr double potential_scale()
{
#if defined(__AVX512F__)
    return 1;
#else
    return force_scale();
#endif
}

// ---- sums over lanes ----------------------------------------------------------------------------

// Each four lanes of the result hold the sums of a, b, c and d over the same four lanes.
G6_INLINE F quarter_sums(F a, F b, F c, F d)
{
#if defined(__AVX512F__)
    const F ab = _mm512_unpacklo_ps(a, b) + _mm512_unpackhi_ps(a, b);
    const F cd = _mm512_unpacklo_ps(c, d) + _mm512_unpackhi_ps(c, d);
    const __m512d p = _mm512_castps_pd(ab), q = _mm512_castps_pd(cd);
    return _mm512_castpd_ps(_mm512_unpacklo_pd(p, q)) + _mm512_castpd_ps(_mm512_unpackhi_pd(p, q));
#elif defined(__AVX2__)
    const F ab = _mm256_unpacklo_ps(a, b) + _mm256_unpackhi_ps(a, b);
    const F cd = _mm256_unpacklo_ps(c, d) + _mm256_unpackhi_ps(c, d);
    const __m256d p = _mm256_castps_pd(ab), q = _mm256_castps_pd(cd);
    return _mm256_castpd_ps(_mm256_unpacklo_pd(p, q)) + _mm256_castpd_ps(_mm256_unpackhi_pd(p, q));
#else
    F all{};
    for (int k = 0; k < kLanes; k++) all += F{a[k], b[k], c[k], d[k]};
    return all;
#endif
}

// Adds the sums of the lanes of four vectors.
G6_INLINE void add_lanes(F a, F b, F c, F d, double out[4])
{
    const F all = quarter_sums(a, b, c, d);
#if defined(__AVX512F__)
    const __m256 half = _mm512_castps512_ps256(all) + _mm512_extractf32x8_ps(all, 1);
    const __m128 sum = _mm256_castps256_ps128(half) + _mm256_extractf128_ps(half, 1);
    _mm256_storeu_pd(out, _mm256_loadu_pd(out) + _mm256_cvtps_pd(sum));
#elif defined(__AVX2__)
    const __m128 sum = _mm256_castps256_ps128(all) + _mm256_extractf128_ps(all, 1);
    _mm256_storeu_pd(out, _mm256_loadu_pd(out) + _mm256_cvtps_pd(sum));
#else
    for (int k = 0; k < kLanes; k++) out[k] += static_cast<double>(all[k]);
#endif
}
G6_INLINE void add_lanes(D a, D b, D c, D d, double out[4])
{
    for (int k = 0; k < kDoubleLanes; k++) {
        out[0] += a[k];
        out[1] += b[k];
        out[2] += c[k];
        out[3] += d[k];
    }
}

}  // namespace
}  // namespace g6::cpu::G6_ISA_NAMESPACE
