// SPDX-License-Identifier: MIT
// The factors of the j-particles, which tensor_factors.cu writes and tensor.cu reads, and the
// conversions between float and double.  The head of tensor.cu says what the factors are for.
#pragma once

#include "../gpu/root_mean.h"
#include "kernels.h"
#include "particles.cuh"

#include <climits>

namespace g6::cuda {

// r2 is multiplied by kLift; masses that multiply w are multiplied by kBitsScale.
constexpr double kLift = 0x1p128, kBitsScale = 0x1p896;
// Limits of |x|^2 and |v|^2 from which on an i-particle is careful.
constexpr double kFarR2 = 0x1p50, kFastV2 = 0x1p76;
// A pair is close where r2 is below this part of |x_i|^2, and may be far inside the softening where
// r2 is below this multiple of eps_i^2.
constexpr double kCloseShare = 0x1p-24, kBarelyAbove = 1 + 0x1p-22;
// The r2 of an empty slot: beyond the square of any distance (G6_FARTHEST), and a float.
constexpr double kEmptyR2 = 0x1p125;
constexpr int kNoDistance = INT_MAX;

// Mean relative errors, which are removed from the sums.  r2 is cut to 23 bits of mantissa.  This
// lowers r2 by 2^-24 / (2 ln 2) of itself on average, for mantissas uniform in the logarithm.
constexpr double kCutMean = -0.72134752 * 0x1p-24;
constexpr double kInverseMean = G6_ROOT_MEAN - 0.5 * kCutMean;  // of 1/r
constexpr double kMinusThree = -3 * (1 - 2 * kInverseMean);     // u has two more factors 1/r than w

// Numbers of the factors, each a double for every j-particle.  A warp reads four factors at once as
// doubles: their numbers differ modulo 4.  A quarter of a warp reads two factors at once as pairs
// of doubles: their numbers differ by 2 modulo 4.  So these reads have no bank conflicts.
constexpr int kX = 0, kZ = 1, kY = 2, kX2 = 3;
constexpr int kVx = 4, kXv = 5, kVy = 6, kVz = 7;  // only with jerk
template <bool kJerk> struct Factors {
    // Times mass and kBitsScale: multiplied by w.
    static constexpr int kWx = kJerk ? 8 : 4, kWz = kWx + 1, kWy = kWx + 2, kW1 = kWx + 3;
    static constexpr int kWvx = 12, kWvy = 14, kWvz = 15;  // from here on only with jerk
    // Times mass: multiplied by u.
    static constexpr int kU1 = 13, kUx = 16, kUz = 17, kUy = 18;
    static constexpr int kCount = kJerk ? 19 : 8;
};

// j-particles of a batch.
constexpr int kBatch = kTensorTiles * kTile;

// A batch, as tensor_factors.cu writes it and one copy brings it to shared memory.  kStride puts
// the four factors that a warp reads at once into different banks.
template <bool kJerk> struct alignas(16) BatchData {
    static constexpr int kStride = kBatch + 4;
    double factor[Factors<kJerk>::kCount][kStride];
    float mass[kBatch];
    int2 range[kTensorTiles];  // those of Predicted, or far_range()
};

// Range of the indices of a tile that has a particle which is too far or too fast.
static __device__ __forceinline__ int2 far_range()
{
    return make_int2(INT_MAX, INT_MIN);
}

// x / kLift, cut to a float, for quotients of 2^-126 to 2^127.  Any other x gives a meaningless
// number; the i-particles of such pairs are careful.
static __device__ __forceinline__ float cut(double x)
{
    return __uint_as_float(__funnelshift_l(__double2loint(x), __double2hiint(x), 3));
}
// x / kBitsScale, for zero and normal x > 0.
static __device__ __forceinline__ double widen(float x)
{
    const unsigned bits = __float_as_uint(x);
    return __hiloint2double(static_cast<int>(bits >> 3), static_cast<int>(bits << 29));
}

// The key of a squared distance is the upper word of r2 kLift; distance_of() is the inverse.
static __device__ __forceinline__ int key_of_lifted(double lifted)
{
    return __double2hiint(lifted);
}
static __device__ __forceinline__ float distance_of(int key)
{
    return key == kNoDistance ? __int_as_float(0x7f800000)
                              : static_cast<float>(__hiloint2double(key, 0) / kLift);
}

}  // namespace g6::cuda
