// SPDX-License-Identifier: MIT
// The data of one warp's walk: the kernel's arguments, the group's i-particles and their extent in
// registers, and the stack and the batches in shared memory.
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
    unsigned stack[kMostOnStack];  // each entry is all children of a cell, as in Cell::below
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
    Scale scale;
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

}  // namespace g6::cuda
