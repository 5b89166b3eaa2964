/* SPDX-License-Identifier: MIT
 *
 * inverse_root(x) = 1/sqrt(x), x > 0 and normal: float to 2^-22, double to 2^-52.
 */
#include "../gpu/root_mean.h"

#if G6_ARITHMETIC == G6_FULL

/* An estimate of 2^-20 and one third-order Newton step. */
G6_FN double inverse_root(double x)
{
    double y;
#if G6_ROOT == G6_ROOT_PTX
    __asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#else
    /* x = m 4^n, 0.5 <= m < 2: the float root sees m only, so no range is lost. */
    const long n = (as_long(x) >> 53) - 511;
    y = (double)native_rsqrt(convert_float(as_double(as_long(x) - (n << 53))));
    y = as_double(as_long(y) - (n << 52));
#endif
    const double e = G6_FMA(-(x * y), y, 1.0);
    return G6_FMA(y * e, G6_FMA(0.375, e, 0.5), y);
}

#else

G6_FN float inverse_root(float x)
{
#if G6_ROOT == G6_ROOT_PTX
    /* One instruction of the special-function unit, 2^-22.9: rsqrt() and native_rsqrt() would add
     * the scaling that denormals need. */
    float y;
    __asm__("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    const float y = native_rsqrt(x);
#if G6_NEWTON
    return G6_FMA(0.5f * y, G6_FMA(-(x * y), y, 1.0f), y);
#else
    return y;
#endif
#endif
}

#endif
