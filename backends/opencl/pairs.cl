/* SPDX-License-Identifier: MIT
 *
 * i-particles and their pairs with j-particles.  Included after layout.cl and pair.h.
 *
 * i-particles lie in device memory as [component][ni], in device units.  Pairs may be so close that
 * float would overflow or lose digits (see range.h).  Without doubles the host has split the
 * positions, and the sum of an i-particle with a close pair becomes NaN: the host sums it.
 */
#include "../gpu/root_mean.h"
#include "../../libg6gpu/formulas/range.h"

/* Softened distance squared up to which a pair adds nothing; in float, close pairs are added in
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

/* Limit of close pairs, a distance squared.  In double: the upper half of G6_COINCIDENT. */
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

/* Adds a close pair to sums in double, from positions in double. */
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

/* ---- reciprocal roots ------------------------------------------------------------------------ */

/* G6_ROOT_ESTIMATE() to 2^-22.  A Newton step makes 1.5 d^2 of a relative error d; check.cpp allows
 * d up to 1.5 2^-12. */
#if !G6_PTX
G6_FN float float_root(float x)
{
    const float y = G6_ROOT_ESTIMATE(x);
#if G6_NEWTON
    return G6_FMA(0.5f * y, G6_FMA(-(x * y), y, 1.0f), y);
#else
    return y;
#endif
}
#endif

/* inverse_root(x) = 1/sqrt(x), x > 0 and normal: float to 2^-22, double to 2^-52. */
#if G6_ARITHMETIC == G6_FULL

/* An estimate and one third-order Newton step, by which a relative error d becomes 2.5 d^3. */
G6_FN double inverse_root(double x)
{
    double y;
#if G6_PTX
    __asm__("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
#else
    /* x = m 4^n, 0.5 <= m < 2.  float_root() gets m, which is in the range of float. */
    const long n = (as_long(x) >> 53) - 511;
    y = (double)float_root(convert_float(as_double(as_long(x) - (n << 53))));
    y = as_double(as_long(y) - (n << 52));
#endif
    const double e = G6_FMA(-(x * y), y, 1.0);
    return G6_FMA(y * e, G6_FMA(0.375, e, 0.5), y);
}

#else

G6_FN float inverse_root(float x)
{
#if G6_PTX
    /* One instruction of the special-function unit, 2^-22.9: rsqrt() and native_rsqrt() would add
     * the scaling that denormals need. */
    float y;
    __asm__("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#else
    return float_root(x);
#endif
}

#endif

/* ---- an i-particle in the registers of an item ----------------------------------------------- */

typedef struct IParticle {
    pos x, y, z;
    real vx, vy, vz, eps2;
    float close; /* close_distance2() */
    int index, number;
} IParticle;

G6_FN IParticle load_i(__global const ireal *iv, int ni, __global const int *ii, int n)
{
    IParticle i;
    __global const ireal *x = iv + n;
    const int c = ni;
    i.number = n;
    i.x = G6_I_POSITION(x, c, 0);
    i.y = G6_I_POSITION(x, c, 1);
    i.z = G6_I_POSITION(x, c, 2);
    i.vx = (real)x[G6_I_VELOCITY * c];
    i.vy = (real)x[(G6_I_VELOCITY + 1) * c];
    i.vz = (real)x[(G6_I_VELOCITY + 2) * c];
    i.eps2 = (real)x[G6_I_EPS2 * c];
    i.close = close_distance2(x, c);
    i.index = ii[n];
    return i;
}

/* A tile may have a close pair (in double: a coincident pair) if its least softened distance
 * squared is below this. */
G6_FN float close_key(const IParticle *i)
{
#if G6_ARITHMETIC == G6_FULL
    return i->close;
#else
    return G6_FMA(i->eps2, (float)G6_ROUNDED_UP, i->close);
#endif
}

G6_FN void add_pair(PairSums *s, const JParticle *j, const IParticle *i, real dx, real dy, real dz,
                    real rinv)
{
#if G6_JERK
    g6_pair_hermite(s, dx, dy, dz, j->vx - i->vx, j->vy - i->vy, j->vz - i->vz, j->m, rinv);
#else
    g6_pair_force(s, dx, dy, dz, j->m, rinv);
#endif
}

/* Adds to sum the partial sum s, whose terms have the reciprocal root to this power. */
#if G6_PTX && G6_FP64 && G6_ARITHMETIC != G6_FULL
#define G6_ADD_LANE(sum, s, power) (sum) = fma((double)(s), G6_ROOT_FACTOR(power), sum)
#else
#define G6_ADD_LANE(sum, s, power) (sum) = wide_add(sum, widen(s))
#endif

/* Adds partial sums of G6_TILE terms at most to the wide sums. */
G6_FN void flush(wide *sum, const PairSums *s)
{
    G6_ADD_LANE(sum[0], s->ax, 3);
    G6_ADD_LANE(sum[1], s->ay, 3);
    G6_ADD_LANE(sum[2], s->az, 3);
    if (G6_JERK) {
        G6_ADD_LANE(sum[3], s->jx, 4);
        G6_ADD_LANE(sum[4], s->jy, 4);
        G6_ADD_LANE(sum[5], s->jz, 4);
    }
    G6_ADD_LANE(sum[6], s->pot, 1);
}
