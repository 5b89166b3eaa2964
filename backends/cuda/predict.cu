// SPDX-License-Identifier: MIT
// Predicts the j-particles into the layout that the force kernels of a precision read.
//
// Floor: 140 bytes are read and 40 to 88 written for each particle, 72 with jerk in mixed.  At the
// 4.8 TB/s of an H200 131072 particles with jerk in mixed would take 6 us.  Measured are 7 to 9 us.
#include "kernels.h"
#include "launch.cuh"
#include "layout.cuh"
#include "particles.cuh"

#include <climits>

namespace g6::cuda {
namespace {

// Fills whole tiles.  Slots from nj on, and slots never written, get a massless particle at the
// origin.
template <class L>
__global__ void predict_kernel(JMemory j, int nj, double t, Motion motion, Scale scale, Predicted p)
{
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    take_turn();
    const PredictedBody one = predicted(j, k, nj, t, motion, scale);
    const int2 id = one.id;
    L::store(p.plane, k, one.x, one.v, one.m);
    for (int c = 0; c < 3; c++) p.x[c][k] = one.x[c];
    // The range of the indices of a tile, two warps to a tile; all of int where a slot is empty.
    __shared__ int2 half[8];
    const int low = warp_min(id.y ? id.x : INT_MIN), high = warp_max(id.y ? id.x : INT_MAX);
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) half[warp] = make_int2(low, high);
    __syncthreads();
    if (threadIdx.x % kTile == 0) {
        const int2 a = half[warp], b = half[warp + 1];
        p.range[k / kTile] = make_int2(min(a.x, b.x), max(a.y, b.y));
    }
}

}  // namespace

void launch_predict(cudaStream_t s, const Request &r, const JMemory &j, const Predicted &p)
{
    // Whole tiles: a block of 128 is two of them; the last may be one past the end, for which
    // memory is reserved.
    const auto launch = [&](auto layout) {
        launch_next(predict_kernel<decltype(layout)>, blocks(r.nj, 128), 128, s, j, r.nj, r.t,
                    r.motion, r.scale, p);
    };
    switch (r.arithmetic) {
    case Arithmetic::kSplit: return r.jerk ? launch(Split<true>()) : launch(Split<false>());
    case Arithmetic::kFull: return r.jerk ? launch(Full<true>()) : launch(Full<false>());
    case Arithmetic::kSingle: return launch(Single());
    }
}

}  // namespace g6::cuda
