/* SPDX-License-Identifier: MIT
 *
 * Operations on whose rounding the other kernels rely.  check.cpp runs these kernels and compares
 * the results with the host's.  The compiler gets the options that all kernels of the device share.
 */
#define G6_ARITHMETIC 0
#define G6_JERK 1
#include "prelude.cl"
#include "layout.cl"

/* pair: two positions, each split into two floats: xj.hi, xj.lo, xi.hi, xi.lo.  difference: of the
 * positions.  fused: the rounding error of a product, by a*b + c in one rounding. */
__kernel void check_float(int n, __global const float4 *pair, __global float *difference,
                          __global float *fused, __global float *root)
{
    const int k = (int)get_global_id(0);
    if (k >= n) return;
    const float2 j = pair[k].xy, i = pair[k].zw;
    difference[k] = G6_DIFFERENCE(j, i);
    fused[k] = G6_EXACT_FMA(j.x, i.x, -(j.x * i.x));
    root[k] = G6_ROOT_ESTIMATE(fabs(j.x));
}

#if G6_FP64
#define G6_PREDICT_REAL double
#include "../../libg6gpu/formulas/predict.h"
#undef G6_PREDICT_REAL

/* parts: doubles split into two floats.  predicted: positions by the predictor. */
__kernel void check_double(int n, __global const double *x, __global float2 *parts,
                           __global double *predicted)
{
    const int k = (int)get_global_id(0);
    if (k >= n) return;
    parts[k] = split(x[k]);
    predicted[k] = g6_predict_x(x[k], x[(k + 1) % n], x[(k + 2) % n], x[(k + 3) % n],
                                x[(k + 4) % n], x[(k + 5) % n]);
}
#else

/* sum: of two floats, as a pair of floats. */
__kernel void check_wide(int n, __global const float4 *pair, __global wide *sum)
{
    const int k = (int)get_global_id(0);
    if (k < n) sum[k] = wide_add((wide)(pair[k].x, 0.0f), (wide)(pair[k].z, 0.0f));
}
#endif
