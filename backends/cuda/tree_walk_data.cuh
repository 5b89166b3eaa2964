// SPDX-License-Identifier: MIT
// The data of one warp's walk: the kernel's arguments, the group's i-particles and their extent in
// registers, and the stack and the batches in shared memory.  Also close pairs: bodies so near to
// an i-particle that they are added in double.
#pragma once

#include "particles.cuh"
#include "tree.h"

#include <type_traits>

namespace g6::cuda {

constexpr int kBatch = 64, kMostOnStack = 32 * (kDepth + 1);

// The variants of a walk.
template <Arithmetic kA, bool kJerk, bool kQuadrupole> struct WalkKind {
    using Real = typename std::conditional<kA == Arithmetic::kFull, double, float>::type;
    static constexpr bool kSplit = kA == Arithmetic::kSplit, kJ = kJerk, kQ = kQuadrupole;
    static constexpr int kWarps = sizeof(Real) == 8 ? 2 : 4;  // shared memory of a block
};

// Shared memory of a warp.
template <class K> struct WarpMemory {
    using Real = typename K::Real;
    Vec4<Real> cell[kBatch], cell_v[K::kJ ? kBatch : 1];
    Vec4<Real> body[kBatch], body_v[K::kJ ? kBatch : 1], low[K::kSplit ? kBatch : 1];
    Real quadrupole[K::kQ ? 6 : 1][kBatch];
    int place[kBatch];
    unsigned stack[kMostOnStack];  // each entry stands for all children of a cell (Cell::below)
    int now[32];                   // the cells that the lanes test in this step
    // The bodies of this step's leaves are counted one leaf after the other.  Number k is in the
    // first leaf with leaf_end > k, at place leaf_first + k.
    int leaf_first[32], leaf_end[32];
};

// An i-particle.  x + lx is a coordinate relative to the middle of the group (in double: to the
// origin); number: in the block; own: own_of() it.
template <class Real> struct ITarget {
    Real x, y, z, lx, ly, lz, vx, vy, vz, eps2;
    int number;
    int2 own;
};

struct WalkArgs {
    Tree tree;
    WalkTargets t;
    G6Units units;
    Mac mac;
    const NearestBody *nearest;
    SumsMemory out;
};

// The group as a whole, for the tests of cells.
struct GroupExtent {
    double middle[3];     // of the box around the i-particles
    float half[3];        // half its edges
    float apart;          // in float, a cell is opened up to this distance squared: (half / 16)^2
    float a;              // smallest known |acc|
    bool known, unknown;  // some |acc| is known; some is not
    int2 own;             // lowest and highest place of the own bodies of all members
};

// ---- close pairs ------------------------------------------------------------------------------

// A float that was rounded from a double is not larger than the double when multiplied by this.
constexpr float kRoundDown = 1 - 0x1p-23f;

// Largest |coordinate| of the group's i-particles relative to its middle, or more.
static __device__ __forceinline__ float largest_of(const GroupExtent &e)
{
    return fmaxf(fmaxf(e.half[0], e.half[1]), e.half[2]);
}

// Distance squared below which a pair of an i-particle with this softening is added in double:
// float would overflow, or positions of 48 bits relative to the group's size are too coarse.
static __device__ __forceinline__ float close_of(const GroupExtent &e, float eps2)
{
    return static_cast<float>(g6_close_distance2(largest_of(e), eps2));
}

// Only bodies within this distance of the group's box can be in a close pair; in double, in a
// coincident one.  A little more than the square root of g6_close_limit(), which would take a
// register for the whole walk.
static __device__ __forceinline__ float margin_of(const GroupExtent &e)
{
    return fmaxf(6.01e-8f * largest_of(e), 3.17e-7f);
}

// Whether the body may be in a close pair.  Its distance from the middle is rounded down.
static __device__ __forceinline__ bool is_near_box(const GroupExtent &e, const Vec4<double> &body)
{
    const double x[3] = {body.x, body.y, body.z};
    const float margin = margin_of(e);
    bool is_near = true;
    for (int d = 0; d < 3; d++)
        is_near = is_near && fabsf(static_cast<float>(x[d] - e.middle[d])) * kRoundDown <=
                                 __fadd_ru(e.half[d], margin);
    return is_near;
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
