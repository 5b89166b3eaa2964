// SPDX-License-Identifier: MIT
// What tensor_factors.cu writes and tensor.cu reads: the factors of the j-particles, and how numbers
// change between float and double.  The head of tensor.cu says what the factors are for.
#pragma once

#include "kernels.h"
#include "particles.cuh"

#include <climits>

namespace g6::cuda {

// r2 is multiplied by kLift, and masses that w is multiplied by, by kBitsScale: cut(), widen().
constexpr double kLift = 0x1p128, kBitsScale = 0x1p896;
// Squares of distances and of velocities from which on an i-particle is careful, the share of
// |x_i|^2 up to which r2 is that of a close pair, and the multiple of eps_i^2 up to which it may be
// that of a pair far inside the softening.
constexpr double kFarR2 = 0x1p50, kFastV2 = 0x1p76, kCloseShare = 0x1p-24,
                 kBarelyAbove = 1 + 0x1p-22;
// Beyond the square of any distance (G6_FARTHEST), and a float.
constexpr double kEmptyR2 = 0x1p125;
constexpr int kNoKey = INT_MAX;

// Numbers of the factors, each a double for every j-particle.  The numbers of factors that a warp
// reads together as doubles differ modulo 4, and those that it reads as double2 by 2 modulo 4.
constexpr int kX = 0, kZ = 1, kY = 2, kX2 = 3;
constexpr int kVx = 4, kXv = 5, kVy = 6, kVz = 7;
template <bool kJerk> struct Factors {
    static constexpr int kW = kJerk ? 8 : 4;  // times mass and kBitsScale: multiplied by w
    static constexpr int kWx = kW, kWz = kW + 1, kWy = kW + 2, kW1 = kW + 3;
    static constexpr int kWvx = kW + 4, kWvy = kW + 6, kWvz = kW + 7;
    static constexpr int kU1 = kW + 5;  // times mass: multiplied by u
    static constexpr int kUx = kW + 8, kUz = kW + 9, kUy = kW + 10;
    static constexpr int kCount = kJerk ? kUy + 1 : kW1 + 1;
};

// j-particles of a stage.
template <int kGroups> constexpr int kStage = kTensorTiles<kGroups> *kTile;

// A stage, as tensor_factors.cu writes it and one copy brings it to shared memory.
template <bool kJerk, int kGroups> struct alignas(16) StageData {
    // The four factors that a warp reads at once lie in different banks.
    static constexpr int kStride = kStage<kGroups> + 4;
    double factor[Factors<kJerk>::kCount][kStride];
    float mass[kStage<kGroups>];
    int2 range[kTensorTiles<kGroups>];  // those of Predicted, or far_range()
};

// Range of the indices of a tile that has a particle which is too far or too fast.
static __device__ __forceinline__ int2 far_range()
{
    return make_int2(INT_MAX, INT_MIN);
}

// x / kLift, cut to a float, for quotients of 2^-126 to 2^127.  Any other x gives a number without
// meaning: that of a pair whose i-particle is careful.
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

// Measure of a squared distance: the upper word of r2 kLift, and back.
static __device__ __forceinline__ int key_of_lifted(double lifted)
{
    return __double2hiint(lifted);
}
static __device__ __forceinline__ float distance_of(int key)
{
    return key == kNoKey ? __int_as_float(0x7f800000)
                         : static_cast<float>(__hiloint2double(key, 0) / kLift);
}

}  // namespace g6::cuda
