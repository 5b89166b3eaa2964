// SPDX-License-Identifier: MIT
// The tree's bodies as kernels read them.
#pragma once

#include "tree.h"

#include <cuda_runtime.h>

namespace g6::cuda {

// Slot of the body at place p.
static __device__ __forceinline__ int slot_at(const Bodies &b, int p)
{
    return b.slot[static_cast<size_t>(p) * static_cast<size_t>(b.slot_step)];
}

}  // namespace g6::cuda
