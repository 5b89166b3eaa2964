// SPDX-License-Identifier: MIT
// Sums and extremes over the 32 lanes of a warp; the whole warp calls.
#pragma once

#include "particles.cuh"

namespace g6::cuda {

template <class T> static __device__ __forceinline__ T warp_min(T v)
{
    for (int d = 16; d; d /= 2) v = min(v, __shfl_xor_sync(kAllLanes, v, d));
    return v;
}
template <class T> static __device__ __forceinline__ T warp_max(T v)
{
    for (int d = 16; d; d /= 2) v = max(v, __shfl_xor_sync(kAllLanes, v, d));
    return v;
}
// Exclusive prefix sum of v over the lanes of the warp.  total: the sum over all lanes.
static __device__ __forceinline__ int sum_before(int v, int &total)
{
    const int lane = threadIdx.x % 32;
    int sum = v;
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(kAllLanes, sum, d);
        if (lane >= d) sum += other;
    }
    total = __shfl_sync(kAllLanes, sum, 31);
    return sum - v;
}

}  // namespace g6::cuda
