// SPDX-License-Identifier: MIT
// What backends/common needs to become CUDA C++, and the reciprocal square roots.
#pragma once

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
#include "../common/predict.h"
#undef G6_PREDICT_REAL

#define G6_REAL float
#define G6_PAIR_SUMS PairSumsF
#include "../common/pair.h"
#include "../common/multipole.h"
#undef G6_REAL
#undef G6_PAIR_SUMS

#define G6_REAL double
#define G6_PAIR_SUMS PairSumsD
#include "../common/pair.h"
#include "../common/multipole.h"
#undef G6_PAIR_SUMS
#define G6_SQRT(x) sqrt(x)
#include "../common/tree.h"
#undef G6_SQRT
#undef G6_REAL

template <class Real> struct PairSums;
template <> struct PairSums<float> {
    using Type = PairSumsF;
};
template <> struct PairSums<double> {
    using Type = PairSumsD;
};

// Nanoseconds.
static __device__ __forceinline__ unsigned long long global_timer()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// One instruction of the special-function unit: 2^-22.
static __device__ __forceinline__ float inverse_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
// 2^-20 estimate and one third-order Newton step: 2^-53.  Five double operations.
static __device__ __forceinline__ double inverse_root(double x)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double e = g6_fma(-(x * y), y, 1.0);
    return g6_fma(y * e, g6_fma(0.375, e, 0.5), y);
}

}  // namespace g6::cuda
