// SPDX-License-Identifier: MIT
// How kernels read a tree in device memory: a body's slot and velocity, a cell's links, and whether
// the structure is whole.  Also bisection.
#pragma once

#include "tree.h"

#include <cuda_runtime.h>

namespace g6::cuda {

// The first k of first ... last-1 for which holds(k) is true; last when there is none.  Where
// holds() is true of one k, it must be true of all larger ones.
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

// Slot of the body at place p.
static __device__ __forceinline__ int slot_at(const Bodies &b, int p)
{
    return b.slot[static_cast<size_t>(p) * static_cast<size_t>(b.slot_step)];
}

// Places of the first and the last body with the index of i-particle n, or {INT_MAX, -1}.
static __device__ __forceinline__ int2 own_of(const WalkTargets &t, int n)
{
    return t.own[t.alike[n]];
}

// Velocity of the body at place p; 0 where the tree has none.
static __device__ __forceinline__ void load_velocity(const Bodies &b, int p, double (&v)[3])
{
    v[0] = v[1] = v[2] = 0;
    if (b.v) {
        const Vec4<float> f = b.v[p];
        v[0] = f.x, v[1] = f.y, v[2] = f.z;
    } else if (b.v_full) {
        const Vec4<double> f = b.v_full[p];
        v[0] = f.x, v[1] = f.y, v[2] = f.z;
    }
}

// ---- cells --------------------------------------------------------------------------------------

static __device__ __forceinline__ int cells_of(const TreeState &s)
{
    return s.bodies > 0 ? s.below_root + 1 : 0;
}

// Whether the structure has all its cells, from keys sorted by enough levels.  Otherwise it is not
// walked, and is built again.
static __device__ __forceinline__ bool is_whole(const Tree &tree)
{
    return cells_of(*tree.state) <= tree.cells.capacity && !tree.state->crowded;
}

// Distance from the centre of mass to the farthest body, or more.
static __device__ __forceinline__ double reach_of(const Cell &c)
{
    return fabsf(c.reach);
}
// Whether the cell has masses of both signs.
static __device__ __forceinline__ bool is_mixed(const Cell &c)
{
    return signbit(c.reach);
}

// The last 16 bytes of a cell.
struct alignas(16) Structure {
    unsigned below;
    int first, count, above;
};
static __device__ __forceinline__ const Structure &structure(const Cells &cells, int k)
{
    static_assert(sizeof(Cell) == 64 && sizeof(Structure) == 16, "in one load");
    return reinterpret_cast<const Structure *>(cells.cell + k)[3];
}

// The parent, from Cell::above of a cell other than the root.
static __device__ __forceinline__ int parent_of(int above)
{
    return above >= 0 ? above : ~above;
}

}  // namespace g6::cuda
