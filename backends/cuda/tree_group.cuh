// SPDX-License-Identifier: MIT
// What a walk of a group of i-particles works on: the arithmetic it has, what its warp shares, its
// i-particles and their box, and the pairs that are left to doubles.
#pragma once

#include "particles.cuh"
#include "tree_bodies.cuh"

#include <type_traits>

namespace g6::cuda {

constexpr int kBatch = 64, kStack = 32 * (kDepth + 1);

template <Arithmetic kA, bool kJerk, bool kQuadrupole> struct Kind {
    using Real = typename std::conditional<kA == Arithmetic::kFull, double, float>::type;
    static constexpr bool kSplit = kA == Arithmetic::kSplit, kJ = kJerk, kQ = kQuadrupole;
    static constexpr int kWarps = sizeof(Real) == 8 ? 2 : 4;  // shared memory of a block
};

// What the lanes of a warp share.
template <class K> struct WarpMemory {
    using Real = typename K::Real;
    Vec4<Real> cell[kBatch], cell_v[K::kJ ? kBatch : 1];
    Vec4<Real> body[kBatch], body_v[K::kJ ? kBatch : 1], low[K::kSplit ? kBatch : 1];
    Real quadrupole[K::kQ ? 6 : 1][kBatch];
    int place[kBatch];
    unsigned stack[kStack];            // eight times the first child, and their number less one
    int now[32];                       // cells of this step
    int leaf_first[32], leaf_end[32];  // bodies of the opened leaves: first, and running count
};

template <class Real> struct ITarget {
    Real x, y, z, lx, ly, lz, vx, vy, vz, eps2;
    int number;
    int2 own;
};

struct WalkArgs {
    Tree tree;
    Targets t;
    JMemory j;
    Scale scale;
    Mac mac;
    WalkRequest w;
    const NearestBody *nearest;
    G6Sums *out;
};

// The group as cells see it.
struct Extent {
    double middle[3];
    float half[3];
    float apart;  // distance squared from the box below which a cell is opened: 1/16 of the half
    float a;      // smallest known |acc|
    bool known, unknown;
    int2 own;
};

// Softened distance squared below which a pair is added in double: float would overflow, or 48 bits
// of the group's size do not tell the bodies well apart.
static __device__ __forceinline__ float close_of(const Extent &e)
{
    return static_cast<float>(g6_close_limit(fmaxf(fmaxf(e.half[0], e.half[1]), e.half[2])));
}

// Such a pair.  Apart from the walker, whose members must stay in registers.
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
