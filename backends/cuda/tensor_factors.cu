// SPDX-License-Identifier: MIT
// Writes the factors of the predicted j-particles, batch by batch.  tensor.cu reads them as the
// right operands of its products.
//
// Floor: with jerk 84 bytes are read and 156 written for each particle, without jerk 52 and 68.  At
// the 4.8 TB/s of an H200 131072 particles with jerk would take 6.6 us.  Measured are 12 us, and 91
// us for 1048576.
#include "launch.cuh"
#include "layout.cuh"
#include "tensor.cuh"

namespace g6::cuda {
namespace {

constexpr int kPrepare = 128;  // threads of a block, one for each j-particle
static_assert(kPrepare >= 96 && kPrepare % kTile == 0, "three warps, whole tiles");

// The median of coordinate c of 32 slots at equal distances; empty slots do not count.  The whole
// warp calls.
static __device__ __forceinline__ float median(const JMemory &j, const Predicted &p, int nj, int c)
{
    const int lane = threadIdx.x % 32,
              slot = static_cast<int>(static_cast<long long>(lane) * nj / 32);
    const bool is_written = identity(j, slot).y;
    const unsigned written = __ballot_sync(kAllLanes, is_written);
    if (!written) return 0;
    const float x = static_cast<float>(p.x[c][slot]);
    int below = 0;
#pragma unroll
    for (int k = 0; k < 32; k++) {
        const float other = __shfl_sync(kAllLanes, x, k);
        below += (other < x || (other == x && k < lane)) && (written >> k & 1);
    }
    const unsigned middle = __ballot_sync(kAllLanes, is_written && below == __popc(written) / 2);
    return __shfl_sync(kAllLanes, x, __ffs(static_cast<int>(middle)) - 1);
}

// Writes the batches of all j-particles; the last batch only as far as there are tiles.
template <bool kJerk>
__global__ void __launch_bounds__(kPrepare)
    prepare_kernel(JMemory j, Predicted p, int nj, TensorMemory to)
{
    using F = Factors<kJerk>;
    const int slot = static_cast<int>(blockIdx.x) * kPrepare + static_cast<int>(threadIdx.x);
    take_turn();
    // Each of the first three warps finds a coordinate of the centre.
    __shared__ double centre[3];
    __shared__ int is_far[kPrepare / kTile];
    if (threadIdx.x < kPrepare / kTile) is_far[threadIdx.x] = 0;
    if (threadIdx.x < 96) centre[threadIdx.x / 32] = median(j, p, nj, threadIdx.x / 32);
    __syncthreads();
    if (slot < 3) to.centre[slot] = centre[slot];
    const bool is_empty = slot >= nj || !identity(j, slot).y;
    const auto f =
        Split<kJerk>::load(p.plane[0], static_cast<size_t>(p.plane[1] - p.plane[0]), slot);
    const double x = is_empty ? 0 : p.x[0][slot] - centre[0],
                 y = is_empty ? 0 : p.x[1][slot] - centre[1],
                 z = is_empty ? 0 : p.x[2][slot] - centre[2], x2 = g6_length2(x, y, z), m = f.m,
                 scaled = m * kBitsScale;
    auto &batch = reinterpret_cast<BatchData<kJerk> *>(to.batches)[slot / kBatch];
    const int k = slot % kBatch;
    const auto put = [&](int factor, double value) { batch.factor[factor][k] = value; };
    bool far = x2 >= kFarR2;
    // A block has two tiles, of which the second may be past the end.
    if (slot < (nj + kTile - 1) / kTile * kTile) {
        put(kX, x);
        put(kY, y);
        put(kZ, z);
        put(kX2, is_empty ? kEmptyR2 : x2);
        put(F::kWx, scaled * x);
        put(F::kWy, scaled * y);
        put(F::kWz, scaled * z);
        put(F::kW1, scaled);
        if (kJerk) {
            const double vx = f.vx, vy = f.vy, vz = f.vz;
            put(kVx, vx);
            put(kVy, vy);
            put(kVz, vz);
            put(kXv, g6_fma(z, vz, g6_fma(y, vy, x * vx)));
            put(F::kWvx, scaled * vx);
            put(F::kWvy, scaled * vy);
            put(F::kWvz, scaled * vz);
            put(F::kUx, m * x);
            put(F::kUy, m * y);
            put(F::kUz, m * z);
            put(F::kU1, m);
            far = far || g6_length2(vx, vy, vz) >= kFastV2;
        }
        batch.mass[k] = f.m;
    }
    if (far) is_far[threadIdx.x / kTile] = 1;
    __syncthreads();
    if (threadIdx.x % kTile == 0 && slot < nj)
        batch.range[k / kTile] = is_far[threadIdx.x / kTile] ? far_range() : p.range[slot / kTile];
}

}  // namespace

size_t tensor_doubles(bool jerk, int nj)
{
    const size_t batches = (static_cast<size_t>(nj) + kBatch - 1) / kBatch;
    return kCentreDoubles +
           batches * (jerk ? sizeof(BatchData<true>) : sizeof(BatchData<false>)) / sizeof(double);
}

void launch_prepare(cudaStream_t s, const Request &r, const JMemory &j, const Predicted &p,
                    const TensorMemory &to)
{
    auto *kernel = r.jerk ? prepare_kernel<true> : prepare_kernel<false>;
    launch_next(kernel, blocks(r.nj, kPrepare), kPrepare, s, j, p, r.nj, to);
}

}  // namespace g6::cuda
