/* SPDX-License-Identifier: MIT
 *
 * Vectors of G6_LANES reals, one i-particle to a lane, for processors: types, masks, inverse root.
 */
#define G6_VECTOR(type) G6_JOIN(type, G6_LANES)
#define G6_CONVERT(type) G6_JOIN(convert_, G6_VECTOR(type))
#define G6_AS(type) G6_JOIN(as_, G6_VECTOR(type))
#define G6_VLOAD G6_JOIN(vload, G6_LANES)
#define G6_VSTORE G6_JOIN(vstore, G6_LANES)

typedef G6_VECTOR(float) floats;
typedef G6_VECTOR(int) ints;
#if G6_ARITHMETIC == G6_FULL
typedef G6_VECTOR(double) reals;
typedef G6_VECTOR(long) masks;
#define G6_CONVERT_REALS G6_CONVERT(double)
#define G6_MASKS(x) G6_CONVERT(long)(x)
#define G6_INTS(x) G6_CONVERT(int)(x)
#else
typedef floats reals;
typedef ints masks;
#define G6_CONVERT_REALS G6_CONVERT(float)
#define G6_MASKS(x) (x)
#define G6_INTS(x) (x)
#endif

/* a*b + c of a pair may be fused or not: with doubles or with a split, its error is a rounding
 * either way.  As an expression it becomes one instruction where the processor has one; fma() of a
 * vector would be a call for each lane. */
#undef G6_FMA
#pragma OPENCL FP_CONTRACT ON
#define G6_FMA(a, b, c) ((a) * (b) + (c))
#define G6_REAL reals
#define G6_PAIR_SUMS PairSums
#include "../../libg6gpu/formulas/pair.h"
#ifdef G6_QUADRUPOLE
#include "../../libg6gpu/formulas/multipole.h"
#endif
#undef G6_REAL
#undef G6_PAIR_SUMS

/* 1/sqrt(x), x > 0 and normal.  The halved exponent is a first guess, good to 3.5 % (Lomont 2003,
 * Fast inverse square root); a third-order step leaves 5/16 e^3: 1.2e-4, then 1e-12, then 1e-36 of
 * it.  No division, no square root, which take ten times as long on processors. */
G6_FN reals root_step(reals x, reals y)
{
    const reals e = (real)1 - x * y * y;
    return G6_FMA(y * e, G6_FMA((reals)(0.375f), e, (reals)(0.5f)), y);
}
G6_FN reals inverse_roots(reals x)
{
#if G6_ARITHMETIC == G6_FULL
    reals y = G6_AS(double)(0x5fe6eb50c7b537a9L - (G6_AS(long)(x) >> 1));
    y = root_step(x, y);
#else
    reals y = G6_AS(float)(0x5f375a86 - (G6_AS(int)(x) >> 1));
#endif
    return root_step(x, root_step(x, y));
}
#pragma OPENCL FP_CONTRACT OFF
#undef G6_FMA
#define G6_FMA(a, b, c) G6_EXACT_FMA(a, b, c)

#if G6_FP64
#if G6_ARITHMETIC == G6_FULL
typedef reals wides;
G6_FN wides wides_zero() { return (wides)(0); }
G6_FN wides wides_add(wides s, reals x) { return s + x; }
#else
typedef G6_VECTOR(double) wides;
G6_FN wides wides_zero() { return (wides)(0); }
G6_FN wides wides_add(wides s, reals x) { return s + G6_CONVERT(double)(x); }
#endif
#else
typedef struct wides {
    floats x, y;
} wides;
G6_FN wides wides_zero()
{
    wides r;
    r.x = r.y = (floats)(0);
    return r;
}
/* Knuth's two-sum, as wide_add(). */
G6_FN wides wides_add(wides s, floats x)
{
    const floats t = s.x + x, z = t - s.x;
    const floats low = ((s.x - (t - z)) + (x - z)) + s.y;
    wides r;
    r.x = t + low;
    r.y = low - (r.x - t);
    return r;
}
#endif
