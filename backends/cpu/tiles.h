// SPDX-License-Identifier: MIT
// j-particles of the CPU device in tiles of kTile, and the table of kernels that each instruction
// set offers.
//
// Invariants
//  * A tile is 64-byte aligned.  Its predicted form is a structure of arrays (16 KiB in precision
//    mixed, of which the loops read 10 KiB) and stays in the first-level cache while several
//    i-particles pass over it.
//  * alive[k] is -1 for a slot that was written, 0 for an empty one.  An empty slot has mass 0 and
//    finite values.
//  * low_index ... high_index covers the index of every live slot: an i-particle whose index lies
//    outside needs no self-exclusion in that tile.
//  * The sums of kSumTiles tiles are added in order to that of a chunk of kChunkTiles tiles, and
//    the sums of chunks in order to the result, whatever the number of threads and whichever of
//    these tiles one thread takes: the same call gives the same bits for any number of threads.
//  * Kernel files instantiate no template of the standard library: the linker could keep the copy
//    compiled for AVX-512 and use it on a machine without.
#pragma once

#include "lists.h"
#include "points.h"

#include <cmath>
#include <cstdint>

namespace g6::cpu {

constexpr int kTile = 256;
constexpr int kSumTiles = 4, kChunkTiles = 16;
constexpr int kBundle = 16;  // i-particles of a bundle: they share one pass over the tiles

// Who is in a tile.
struct alignas(64) Marks {
    std::int32_t index[kTile], alive[kTile];
    std::int32_t low_index, high_index;
    std::int32_t live;  // number of live slots
};

// The terms of kRun particles lie side by side, so that a prediction reads few streams of memory,
// one for a system at rest and three at most, and no two lines of a stream fall into one set of the
// cache.
constexpr int kRun = 8;
struct Position {
    double x[3][kRun], mass[kRun];
};
struct Course {
    double t[kRun], v[3][kRun], a2[3][kRun], j6[3][kRun];
};
struct Snap {
    double k18[3][kRun];
};
struct alignas(64) Tile : Marks {
    alignas(64) Position position[kTile / kRun];
    alignas(64) Course course[kTile / kRun];
    alignas(64) Snap snap[kTile / kRun];
};

// Positions of a predicted tile as float kernels take them (split_sums.h): two floats relative to
// the tile's centre.  Pairs in double need none.
template <class Real> struct Split {
};
template <> struct alignas(64) Split<float> {
    float high[3][kTile], low[3][kTile];
    double centre[3];
    float close2;  // distance squared up to which two floats are not good enough, and slack
};

// A tile at the time of the block, in device units; Real is float (mixed) or double.
template <class Real> struct alignas(64) Predicted {
    double x[3][kTile];
    Real v[3][kTile];
    Real mass[kTile];
    Split<Real> split;
};

// Sums of one i-particle over some tiles, in device units; pot is positive.
struct Partial {
    double acc[3], jerk[3], pot;
    double nn_r2;          // exact, unsoftened
    std::int32_t nn_slot;  // -1: nobody
};
constexpr Partial kNothing{{}, {}, 0, HUGE_VAL, -1};

// How the j-particles get to the time of a block.
struct Prediction {
    const Tile *const *tiles;
    int count;  // of the tiles
    double t;
    Motion motion;
    Scale scale;
    bool plain;  // no factor but that of mass, and nothing comes near a limit of range.h
    bool split;  // a Predicted<float> gets split positions
    bool reuses_tile = false;  // sums predict each tile to the memory of the first
};

// Methods of direct sums.  kUnsplit is precision mixed by differences of doubles.  It serves blocks
// of so few i-particles that splitting a tile takes longer than it saves.
enum Method { kSplit, kInDouble, kUnsplit };

struct Kernels {
    const char *name;
    // Predicts tile t into out, a Predicted<float> (precision 0) or Predicted<double> (1).  acts:
    // the marks of the slots that act, for which positions are split.
    void (*predict[2])(const Prediction &prediction, int t, const Marks &acts, void *out);
    // Fills the split positions of a Predicted<float>.
    void (*split)(void *predicted);
    // Sums of n <= kBundle i-particles over tiles first ... last-1: [method][jerk][nearest].
    // `predicted` starts at tile `first`.  With a prediction each tile is predicted just before it
    // is summed: to its place in `predicted` or, with reuses_tile, to that of the first.  `first`
    // is a multiple of kSumTiles, and the tiles are of one chunk.  The nearest neighbour goes on
    // from what out holds (nn_slot -1: nobody yet); the rest of out is overwritten.
    using Force = void(const Marks *const *tiles, const Prediction *prediction, void *predicted,
                       int first, int last, const IParticle *i, int n, Partial *out);
    Force *force[3][2][2];
    // Writes the numbers in the tile of the entries with r2 < h2, ascending, to entries[kTile].
    // Returns how many there are.
    int (*list[2])(const Marks &tile, const void *predicted_tile, const IParticle &i, bool own,
                   std::int32_t *entries);
    ListKernels lists;
    const PointKernels *points;
};

// The functions that make the table of an instruction set, and fill parts of it.
#define G6_KERNELS(isa)                                                                            \
    Kernels make_kernels_##isa();                                                                  \
    void add_list_entries_##isa(ListKernels &table);                                               \
    void add_list_kernels_##isa(ListKernels &table);                                               \
    const PointKernels &point_kernels_##isa();
G6_KERNELS(generic)
#if defined(__x86_64__)
G6_KERNELS(avx2)
G6_KERNELS(avx512)
#endif
#undef G6_KERNELS

// The best instruction set of this machine for "" or "auto", else the named one; null when the
// machine lacks it.
const Kernels *choose_kernels(const char *isa);

// A device on these kernels; null without memory.
Device *make_device(const Kernels &kernels, const DeviceOptions &options);

}  // namespace g6::cpu
