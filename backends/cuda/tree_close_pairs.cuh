// SPDX-License-Identifier: MIT
// The pairs of a walk that float cannot add: bodies so near to an i-particle that they are added in
// double.
#pragma once

#include "tree_walk_data.cuh"

namespace g6::cuda {

// Softened distance squared below which a pair is added in double: float would overflow, or
// positions of 48 bits relative to the group's size are too coarse for the distance.
static __device__ __forceinline__ float close_of(const GroupExtent &e)
{
    return static_cast<float>(g6_close_limit(fmaxf(fmaxf(e.half[0], e.half[1]), e.half[2])));
}

// The sums of one close pair.  This is no member of Walker and is not inlined, so that the walker's
// members stay in registers.
template <bool kJerk>
static __device__ __noinline__ PairSumsD close_pair(const WalkArgs &a, int number, int p)
{
    const size_t c = static_cast<size_t>(a.t.i.capacity);
    const double *xi = a.t.i.x + number;
    const Vec4<double> b = a.tree.body.at[p];
    const double dx = b.x - xi[0], dy = b.y - xi[c], dz = b.z - xi[2 * c];
    const double soft = g6_length2(dx, dy, dz) + a.t.i.eps2[number];
    const Vec4<float> v = kJerk ? a.tree.body.v[p] : Vec4<float>{};
    PairSumsD s = {};
    g6_pair_hermite(&s, dx, dy, dz, kJerk ? v.x - xi[3 * c] : 0.0, kJerk ? v.y - xi[4 * c] : 0.0,
                    kJerk ? v.z - xi[5 * c] : 0.0, b.w,
                    soft > G6_COINCIDENT ? inverse_root(soft) : 0.0);
    return s;
}

}  // namespace g6::cuda
