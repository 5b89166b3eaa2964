/* SPDX-License-Identifier: MIT
 *
 * i-particles in device memory: [component][ni], in device units; and the pairs so close that
 * float would overflow or lose digits (see range.h).  Without doubles the host has split the
 * positions, and the sum of an i-particle with a close pair becomes NaN: the host sums it.
 */
#include "../../libg6gpu/formulas/range.h"

/* Softened distance squared up to which a pair adds nothing: in float, close ones are added in
 * double. */
#if G6_ARITHMETIC == G6_FULL
#define G6_LEAST_SOFT G6_COINCIDENT
#else
#define G6_LEAST_SOFT 0
#endif

#define G6_I_VELOCITY 3
#define G6_I_EPS2 6

#if G6_FP64

typedef double ireal;
#define G6_I_POSITION(x, c, k) position_of((x)[(k) * (c)])

/* In double only coincident particles need care: the key of their distance. */
G6_FN float close_distance2(__global const double *x, int c)
{
#if G6_ARITHMETIC == G6_FULL
    return as_float(as_int2(G6_COINCIDENT).y);
#else
    const double far = fmax(fabs(x[0]), fmax(fabs(x[c]), fabs(x[2 * c])));
    return g6_close_distance2(convert_float(far), convert_float(x[G6_I_EPS2 * c])) *
           (float)G6_ROUNDED_UP;
#endif
}
#define G6_IS_CLOSE(r2, soft, close) ((r2) < (close))

G6_FN double widen(real x)
{
    return x;
}

#define G6_REAL double
#define G6_PAIR_SUMS PairSumsExact
#define g6_length2 g6_exact_length2
#define g6_pair_force g6_exact_force
#define g6_pair_hermite g6_exact_hermite
#include "../../libg6gpu/formulas/pair.h"
#undef G6_REAL
#undef G6_PAIR_SUMS
#undef g6_length2
#undef g6_pair_force
#undef g6_pair_hermite

/* Straight into the double sums. */
static void add_close_pair(double *sum, __global const float4 *plane, int stride,
                           __global const double *exact, int slot, __global const double *iv,
                           int ni, int n)
{
    PairSumsExact s = {sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6]};
    const double dx = exact[slot] - iv[n], dy = exact[(size_t)stride + slot] - iv[ni + n],
                 dz = exact[2 * (size_t)stride + slot] - iv[2 * ni + n];
    const double soft = g6_exact_length2(dx, dy, dz) + iv[G6_I_EPS2 * ni + n];
    if (!(soft > G6_COINCIDENT)) return;
    JParticle j;
    G6_LOAD_J(j, plane, stride, slot);
#if G6_JERK
    const double vx = j.vx - iv[3 * ni + n], vy = j.vy - iv[4 * ni + n], vz = j.vz - iv[5 * ni + n];
#else
    const double vx = 0, vy = 0, vz = 0;
#endif
    g6_exact_hermite(&s, dx, dy, dz, vx, vy, vz, (double)j.m, 1.0 / sqrt(soft));
    sum[0] = s.ax;
    sum[1] = s.ay;
    sum[2] = s.az;
    sum[3] = s.jx;
    sum[4] = s.jy;
    sum[5] = s.jz;
    sum[6] = s.pot;
}

#else

typedef float ireal;
#if G6_ARITHMETIC == G6_SPLIT
#define G6_I_POSITION(x, c, k) ((float2)((x)[(k) * (c)], (x)[(7 + (k)) * (c)]))
#else
#define G6_I_POSITION(x, c, k) ((x)[(k) * (c)])
#endif

G6_FN float close_distance2(__global const float *x, int c)
{
    const float far = fmax(fabs(x[0]), fmax(fabs(x[c]), fabs(x[2 * c])));
    return g6_close_distance2(far, x[G6_I_EPS2 * c]) * (float)G6_ROUNDED_UP;
}
/* Softened bodies at distance 0 are not close: a client that has no index of its own for an
 * i-particle meets each i-particle there, and the host would sum all of them. */
#define G6_IS_CLOSE(r2, soft, close)                                                               \
    (((r2) < (close)) & (((r2) > 0.0f) | ((soft) < (float)G6_CLOSE)))
G6_FN float2 widen(float x)
{
    return (float2)(x, 0.0f);
}

G6_FN void add_close_pair(float2 *sum, __global const float4 *plane, int stride,
                          __global const float2 *exact, int slot, __global const float *iv, int ni,
                          int n)
{
    sum[0] = (float2)(NAN, 0.0f);
}

#endif
