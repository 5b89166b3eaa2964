// SPDX-License-Identifier: MIT
// Direct sums in mixed precision on tensor cores (tensor.cu), for some rows of the shape table of
// force.cu.
#pragma once

#include "kernels.h"

namespace g6::cuda {

struct ForceArgs;

// Whether this file's kernels serve the request on the current device.
bool has_tensor_kernel(const Request &r);
// groups: of 16 i-particles, that a warp has, 1 or 2.  A block of threads has four warps.
int tensor_blocks(const Request &r, int groups);
void launch_tensor(cudaStream_t s, const Request &r, int groups, const ForceArgs &a,
                   const TensorMemory &from);

}  // namespace g6::cuda
