// SPDX-License-Identifier: MIT
// What a block asks of the kernels of a GPU.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/formulas/range.h"

namespace g6::gpu {

// How the difference and the sums of a pair are computed (cuda/layout.cuh).  kSplit is the
// precision "mixed", kFull is "double".  Precision "single" is kSingle in a walk, and in a block
// without jerk, nearest neighbour and possible close pairs; elsewhere it is kSplit.
// opencl/layout.cl has the same numbers.
enum class Arithmetic : int { kSplit, kSingle, kFull };

// All that predicted j-particles depend on, besides the j-particles that were sent.  Blocks with
// the same key share a prediction while no j-particle changes.
struct PredictionKey {
    int nj;
    double t;
    Motion motion;
    Scale scale;
    Arithmetic arithmetic;
    bool jerk;
};
inline bool operator==(const PredictionKey &a, const PredictionKey &b)
{
    return a.nj == b.nj && a.t == b.t && a.motion == b.motion && a.scale == b.scale &&
           a.arithmetic == b.arithmetic && a.jerk == b.jerk;
}

// Shape and slices follow from Block::whole_ni.  Block::gate points to nothing once start() has
// returned, and Block::i to nothing once finish() has.
struct Request : Block {
    bool jerk;
    bool near;   // find the nearest neighbour
    bool guard;  // close pairs are possible
    Arithmetic arithmetic;
    int slices;

    // Whether the force kernel keeps the smallest distance of each tile.
    bool tracks() const { return near || guard; }
    PredictionKey prediction() const { return {nj, t, motion, scale, arithmetic, jerk}; }
};

// Whether some softening is so small that a pair may be close (g6_close_limit() in range.h).  The
// least softening is compared at the farthest position: where softenings differ, a block may be
// guarded without need.  The margin is for kernels that compare in float.
inline bool may_be_close(const Block &b)
{
    const double length = b.scale.length;
    return b.least_eps2 * length * length < 1.001 * g6_close_limit(b.farthest * length);
}

// Fills in all but the slices.  `guard` makes direct sums look for close pairs, which they then
// compute in another way; this takes longer.  Sums in kFull are guarded only if may_be_close()
// is true.
// Sums in kSplit are always guarded: however long the softening is, two floats may be too few for a
// distance (cuda/layout.cuh).
inline void fill(Request &r, const Block &b, Precision precision)
{
    static_cast<Block &>(r) = b;
    r.jerk = b.want & kWantJerk;
    r.near = b.want & kWantNearest;
    r.guard = may_be_close(b);
    const bool plain = b.is_walk || (!r.jerk && !r.near && !r.guard);
    r.arithmetic = precision == Precision::kDouble            ? Arithmetic::kFull
                   : precision == Precision::kSingle && plain ? Arithmetic::kSingle
                                                              : Arithmetic::kSplit;
    r.guard = r.guard || r.arithmetic == Arithmetic::kSplit;
}

}  // namespace g6::gpu
