// SPDX-License-Identifier: MIT
// What tensor_factors.cu writes and tensor.cu reads: the factors of the j-particles, and how
// numbers change between float and double.  The head of tensor.cu says what the factors are for.
#pragma once

#include "../gpu/tensor_formulas.h"
#include "kernels.h"
#include "particles.cuh"

#include <climits>

namespace g6::cuda {

constexpr double kLift = G6_LIFT, kBitsScale = G6_BITS_SCALE;
constexpr double kFarR2 = G6_FAR_R2, kFastV2 = G6_FAST_V2, kCloseShare = G6_CLOSE_SHARE,
                 kBarelyAbove = G6_BARELY_ABOVE, kEmptyR2 = G6_EMPTY_R2;
constexpr int kNoKey = INT_MAX;

// Numbers of the factors.
constexpr int kX = G6_FACTOR_X, kZ = G6_FACTOR_Z, kY = G6_FACTOR_Y, kX2 = G6_FACTOR_X2;
constexpr int kVx = G6_FACTOR_VX, kXv = G6_FACTOR_XV, kVy = G6_FACTOR_VY, kVz = G6_FACTOR_VZ;
template <bool kJerk> struct Factors {
    static constexpr int kWx = G6_FACTOR_WX(kJerk), kWz = G6_FACTOR_WZ(kJerk),
                         kWy = G6_FACTOR_WY(kJerk), kW1 = G6_FACTOR_W1(kJerk);
    static constexpr int kWvx = G6_FACTOR_WVX, kWvy = G6_FACTOR_WVY, kWvz = G6_FACTOR_WVZ;
    static constexpr int kU1 = G6_FACTOR_U1, kUx = G6_FACTOR_UX, kUz = G6_FACTOR_UZ,
                         kUy = G6_FACTOR_UY;
    static constexpr int kCount = G6_FACTORS(kJerk);
};

// j-particles of a stage.
template <int kGroups> constexpr int kStage = kTensorTiles<kGroups> *kTile;

// A stage, as tensor_factors.cu writes it and one copy brings it to shared memory.
template <bool kJerk, int kGroups> struct alignas(16) StageData {
    static constexpr int kStride = G6_STAGE_STRIDE(kStage<kGroups>);
    double factor[Factors<kJerk>::kCount][kStride];
    float mass[kStage<kGroups>];
    int2 range[kTensorTiles<kGroups>];  // those of Predicted, or far_range()
};
static_assert(sizeof(StageData<true, 2>) == G6_STAGE_BYTES(1, kTensorTiles<2>, kTile) &&
                  sizeof(StageData<false, 2>) == G6_STAGE_BYTES(0, kTensorTiles<2>, kTile),
              "a stage as OpenCL has it");

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
