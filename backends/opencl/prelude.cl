/* SPDX-License-Identifier: MIT
 *
 * Macros by which libg6gpu/formulas compiles as OpenCL C, and `wide`, the type of long sums.  The
 * host defines these when it builds a program:
 *   G6_TILE    j-particles between two flushes of float sums to wide ones
 *   G6_FP64    1 where the device computes in double; else a wide number is a pair of floats
 *   G6_PTX     1 where the first estimate of a reciprocal root (pairs.cl) is an instruction of NVIDIA
 *              devices; else it is G6_ROOT_ESTIMATE(), the function native_rsqrt()
 *   G6_NEWTON  1 when native_rsqrt() has a larger error than 2^-22: pairs.cl adds a Newton step
 * Tests define G6_EXACT_FMA and G6_ROOT_ESTIMATE for a device that is less exact.
 * Position differences are exact as long as + and - are rounded correctly and done in source order.
 */
#pragma OPENCL FP_CONTRACT OFF
#if G6_FP64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define G6_FN static inline __attribute__((always_inline))
#ifndef G6_EXACT_FMA
#define G6_EXACT_FMA(a, b, c) fma(a, b, c)
#endif
#ifndef G6_ROOT_ESTIMATE
#define G6_ROOT_ESTIMATE(x) native_rsqrt(x)
#endif
#define G6_FMA(a, b, c) G6_EXACT_FMA(a, b, c)

#if G6_FP64
typedef double wide;
G6_FN wide wide_add(wide a, wide b)
{
    return a + b;
}
#else
typedef float2 wide; /* value = x + y, |y| <= 2^-24 |x| */
/* Knuth's two-sum of the leading parts; the error is 2^-47 of the larger operand. */
G6_FN wide wide_add(wide a, wide b)
{
    const float t = a.x + b.x, z = t - a.x;
    const float low = ((a.x - (t - z)) + (b.x - z)) + (a.y + b.y);
    const float high = t + low;
    return (wide)(high, low - (high - t));
}
#endif
