// SPDX-License-Identifier: MIT
// The data of one warp's walk: the kernel's arguments, the group's i-particles and their extent in
// registers, and the stack and the batches in shared memory.
#pragma once

#include "particles.cuh"
#include "tree.h"

#include <type_traits>

namespace g6::cuda {

constexpr int kBatch = 64, kStack = 32 * (kDepth + 1);

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
struct GroupExtent {
    double middle[3];
    float half[3];
    float apart;  // distance squared from the box below which a cell is opened: 1/16 of the half
    float a;      // smallest known |acc|
    bool known, unknown;
    int2 own;
};

}  // namespace g6::cuda
