// SPDX-License-Identifier: MIT
// Macros by which libg6gpu/formulas compiles as CUDA C++, and reciprocal square roots.
#pragma once

#include "../gpu/root_mean.h"

#include <cuda_runtime.h>

namespace g6::cuda {

#define G6_FN static __device__ __forceinline__
static __device__ __forceinline__ float g6_fma(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}
static __device__ __forceinline__ double g6_fma(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}
#define G6_FMA(a, b, c) g6_fma(a, b, c)

#define G6_PREDICT_REAL double
#include "../../libg6gpu/formulas/predict.h"
#undef G6_PREDICT_REAL

#define G6_REAL float
#define G6_PAIR_SUMS PairSumsF
#include "../../libg6gpu/formulas/pair.h"
#include "../../libg6gpu/formulas/multipole.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#define G6_REAL double
#define G6_PAIR_SUMS PairSumsD
#include "../../libg6gpu/formulas/pair.h"
#include "../../libg6gpu/formulas/multipole.h"
#undef G6_PAIR_SUMS
#define G6_SQRT(x) sqrt(x)
#include "../../libg6gpu/formulas/cube.h"
#include "../../libg6gpu/formulas/curve.h"
#define G6_POW(x, y) pow(x, y)
#define G6_MIN(a, b) fmin(a, b)
#define G6_MAX(a, b) fmax(a, b)
#define G6_INFINITY __longlong_as_double(0x7ff0000000000000LL)
#include "../../libg6gpu/formulas/tree.h"
#include "../../libg6gpu/formulas/moments.h"
#include "../../libg6gpu/formulas/opening.h"
#undef G6_SQRT
#undef G6_POW
#undef G6_MIN
#undef G6_MAX
#undef G6_INFINITY
#undef G6_REAL

template <class Real> struct PairSums;
template <> struct PairSums<float> {
    using Type = PairSumsF;
};
template <> struct PairSums<double> {
    using Type = PairSumsD;
};

static __device__ __forceinline__ double infinity()
{
    return __longlong_as_double(0x7ff0000000000000LL);
}

// One instruction of the special-function unit, whose relative error is at most 2^-22.
static __device__ __forceinline__ float inverse_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
// Adds the sum s of a lane to a double sum.  The terms of s have the reciprocal root to the power
// kPower; its mean error is removed.
template <int kPower> static __device__ __forceinline__ void add_lane(double &sum, float s)
{
    sum = g6_fma(static_cast<double>(s), G6_ROOT_FACTOR(kPower), sum);
}
template <int kPower> static __device__ __forceinline__ void add_lane(double &sum, double s)
{
    sum += s;
}
// Adds a lane's sums of acc, jerk and pot to double sums.
template <bool kJerk, class Sums>
static __device__ __forceinline__ void flush_lane(double (&sum)[7], const Sums &s)
{
    add_lane<3>(sum[0], s.ax);
    add_lane<3>(sum[1], s.ay);
    add_lane<3>(sum[2], s.az);
    if (kJerk) {
        add_lane<4>(sum[3], s.jx);
        add_lane<4>(sum[4], s.jy);
        add_lane<4>(sum[5], s.jz);
    }
    add_lane<1>(sum[6], s.pot);
}

// An estimate good to 2^-20 and one third-order Newton step: 2^-53.  Five double operations.
static __device__ __forceinline__ double inverse_root(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = g6_fma(-(x * y), y, 1.0);
    return g6_fma(y * e, g6_fma(0.375, e, 0.5), y);
}

}  // namespace g6::cuda
