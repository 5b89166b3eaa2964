// SPDX-License-Identifier: MIT
// A tree's bodies and structure as kernels read them.
#pragma once

#include "tree.h"

#include <cuda_runtime.h>

namespace g6::cuda {

// Slot of the body at place p.
static __device__ __forceinline__ int slot_at(const Bodies &b, int p)
{
    return b.slot[static_cast<size_t>(p) * static_cast<size_t>(b.slot_step)];
}

// Of first ... last-1 the first that holds(it), as all after it do; last when none does.
template <class Holds>
static __device__ __forceinline__ int first_where(int first, int last, Holds &&holds)
{
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (holds(middle))
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

static __device__ __forceinline__ int cells_of(const TreeState &s)
{
    return s.bodies > 0 ? s.below_root + 1 : 0;
}

// Whether the structure lacks something: it is built again before it serves.
static __device__ __forceinline__ bool lacks_room(const Tree &tree)
{
    return cells_of(*tree.state) > tree.cells.capacity;
}
static __device__ __forceinline__ bool is_whole(const Tree &tree)
{
    return !lacks_room(tree) && !tree.state->crowded;
}

// What `above` of a cell other than the root means.
static __device__ __forceinline__ int parent_of(int above)
{
    return above >= 0 ? above : ~above;
}

}  // namespace g6::cuda
