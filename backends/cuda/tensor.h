// SPDX-License-Identifier: MIT
// Direct sums in mixed precision on tensor cores (tensor.cu), for some shapes of the table in
// force.cu.
#pragma once

#include "kernels.h"

namespace g6::cuda {

struct ForceArgs;

// groups: how many groups of 16 i-particles a warp has, 1 or 2.  A block of threads has four warps.
//
// Resident blocks on one multiprocessor; 0: tensor.cu does not support the request on this device.
int tensor_blocks(const Request &r, int groups);
void launch_tensor(cudaStream_t s, const Request &r, int groups, const ForceArgs &a,
                   const TensorMemory &from);

}  // namespace g6::cuda
