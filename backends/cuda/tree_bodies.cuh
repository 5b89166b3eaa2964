// SPDX-License-Identifier: MIT
// The tree's bodies as kernels read them.
#pragma once

#include "tree.h"

#include <cuda_runtime.h>

namespace g6::cuda {

// Slot of the body at place p.
static __device__ __forceinline__ int slot_at(const Bodies &b, int p)
{
    if (b.v) return __float_as_int(b.v[p].w);
    if (b.v_full) return __double2loint(b.v_full[p].w);
    return b.slot[p];
}

}  // namespace g6::cuda
