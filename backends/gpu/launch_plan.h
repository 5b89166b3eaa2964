// SPDX-License-Identifier: MIT
// How the work of a launch is divided so that all compute units of a GPU have some.  For a direct
// sum: the shape of the groups, and the slices of the j-particles.  For a tree: how many
// i-particles walk together.  A group is a block of CUDA or a work-group of OpenCL; a compute unit
// is a multiprocessor.
//
// Invariants
//  * Plans follow from their arguments alone, so that a repeated launch gives the same bits.
//  * There is at least one slice, and no slice without a tile.
#pragma once

#include "tile.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace g6::gpu {

// A block of this many i-particles or more is large.  A wave is as many groups as the device runs
// at once.
//  * A large block takes the number of slices that costs least (cost_of_slices()) where this makes
//    five waves or more, and else one to six waves.  A smaller block takes as many waves as leave
//    its slices long (most_waves_of_few()).
//  * A large block takes no shape with groups of 32 lanes or fewer, except the first shape of the
//    table.  Each group fetches every j-particle of its slice, so that many small groups cause more
//    memory traffic than few large ones.
constexpr int kManyI = 4096;

// A group is lanes_i x lanes_j lanes.  lanes_j lanes share their i-particles and take every
// lanes_j-th tile.
struct LaunchShape {
    int lanes_i, lanes_j;
    int per_lane;      // i-particles of each lane
    int resident = 0;  // groups that one compute unit runs at once
    double rate = 0;   // pairs in a given time, relative to those of other shapes; 0: not for use
    int unit = 1;      // tiles that a slice takes together

    int lanes() const { return lanes_i * lanes_j; }
    int i_particles() const { return lanes_i * per_lane; }
    int i_tiles(int ni) const { return (ni - 1) / i_particles() + 1; }
    // A slice has at least two tiles, a whole unit, and one tile for each lane of lanes_j.  Slices
    // lie along the second axis of the grid, which has at most 65535 groups.
    int most_slices(int tiles) const
    {
        return std::max(1, std::min(65535, tiles / std::max({2, lanes_j, unit})));
    }
};

struct LaunchWork {
    int ni;             // > 0
    int tiles;          // of j-particles, > 0
    int compute_units;  // > 0
};

// A block of fewer than kDivisible i-tiles cannot be divided among four devices.  A shape that
// gives fewer i-tiles is taken only where it is kPriceOfWhole times as fast as others.  The rule
// holds for any number of devices, which must not change the bits.
constexpr int kDivisible = 4;
constexpr double kPriceOfWhole = 1.04;

// The number of the shape that takes the least time for whole i-tiles on the part of the device
// that the shape can fill.  shape(k): LaunchShape number k of `shapes` > 0.
template <class ShapeOf>
std::size_t best_shape(std::size_t shapes, ShapeOf &&shape, const LaunchWork &work)
{
    std::size_t best = 0;
    double least = 0;
    for (std::size_t k = 0; k < shapes; k++) {
        const LaunchShape s = shape(k);
        if (k > 0 && ((s.lanes() <= 32 && work.ni >= kManyI) || s.rate <= 0)) continue;
        const double i_tiles = s.i_tiles(work.ni), at_once = work.compute_units * s.resident;
        const double filled = std::min(1.0, i_tiles * s.most_slices(work.tiles) / at_once);
        const double time = i_tiles * s.i_particles() / (s.rate * filled) *
                            (i_tiles < kDivisible ? kPriceOfWhole : 1);
        if (k == 0 || time < least) {
            least = time;
            best = k;
        }
    }
    return best;
}

// The least number of units (LaunchShape::unit tiles each) in a slice for which adding the slices
// costs next to nothing.  On an H200, 2 or 4 waves instead of one cost a block of 256 or
// 1024 i-particles 0 to 2 % more time with 1048576 j-particles, and 5 to 20 % with 131072, whose
// slices are shorter than this.  On tensor cores, with units of 3 tiles, 4 waves in place of 2 cost
// 5 % for 2048 i-particles and 131072 j-particles.
constexpr int kLongSlice = 12;

// Waves of groups for a block of fewer than kManyI i-particles: doubled, up to 8, while slices keep
// kLongSlice units.  Several devices that share a block divide its groups, and with w waves up to w
// devices each get a full wave.
inline int most_waves_of_few(const LaunchShape &shape, const LaunchWork &work)
{
    constexpr int kMost = 8;
    const int groups = work.compute_units * shape.resident;
    int waves = 1;
    while (waves < kMost &&
           work.tiles / (2.0 * waves * groups / shape.i_tiles(work.ni)) >= kLongSlice * shape.unit)
        waves *= 2;
    return waves;
}

// The constants of cost_of_slices().  They fit 60 measured times of 1024 to 262144 i-particles on
// an H200 with tensor cores to 2 %; a division into one slice takes up to 6 % longer than they say.
// They serve all kernels and devices; docs/measurements/direct-tensor.md has what they gain.
constexpr double kSliceInTiles = 3, kIdleAtEnd = 0.08, kUnevenShare = 0.8;
// A partial sum is the sum of one i-particle over one slice, 68 bytes.  slices_of_many_waves()
// makes at most kMostPartials of them (285 MB), unless the first number of slices that it tries has
// more.
constexpr double kMostPartials = 1 << 22;

// What the division into slices costs, as a share of the time of the pairs.  With
//     waves = groups / (compute_units resident)    each = groups / compute_units
// it is the sum of
//     kSliceInTiles slices / tiles             a slice costs as much time as three tiles
//     kIdleAtEnd / waves                       at the end some places have no more groups
//     kUnevenShare (ceil(each) / each - 1)     some compute units get a group less than others
// Slices of unequal length even out over several waves.  Several devices that share a block divide
// its i-tiles, and the number of slices must not depend on the number of devices.  So the second
// and the third term are each the value for one device, plus half the values for two and for four.
inline double cost_of_slices(const LaunchShape &shape, const LaunchWork &work, int slices)
{
    const int i_tiles = shape.i_tiles(work.ni);
    const auto waves = [&](int devices) {
        const double groups = static_cast<double>(slices) * ((i_tiles - 1) / devices + 1);
        const double each = groups / work.compute_units;
        return kIdleAtEnd * shape.resident / each + kUnevenShare * (std::ceil(each) / each - 1);
    };
    return kSliceInTiles * slices / work.tiles + waves(1) + (waves(2) + waves(4)) / 2;
}

// Slices for many waves: the number of least cost among those that give each compute unit nearly
// the same number of groups, from kManyWaves waves up to twice the ideal.  The ideal is the number
// of least cost without the third term of cost_of_slices(),
//     ideal = sqrt(kIdleAtEnd / kSliceInTiles * at_once tiles / i_tiles)
// Returns 0 where the ideal has fewer than kManyWaves waves: slices_of_few_waves() measured better
// there.
constexpr int kManyWaves = 5;
inline int slices_of_many_waves(const LaunchShape &shape, const LaunchWork &work)
{
    const double i_tiles = shape.i_tiles(work.ni), compute_units = work.compute_units,
                 at_once = compute_units * shape.resident;
    const double ideal = std::sqrt(kIdleAtEnd / kSliceInTiles * at_once * work.tiles / i_tiles);
    if (ideal * i_tiles < kManyWaves * at_once) return 0;
    const int most = shape.most_slices(work.tiles),
              most_each = static_cast<int>(2 * ideal * i_tiles / compute_units);
    int best = 0;
    double least = HUGE_VAL;
    for (int each = kManyWaves * shape.resident; each <= most_each; each++) {
        const int slices =
            static_cast<int>(std::max(1.0, std::min<double>(most, each * compute_units / i_tiles)));
        if (best > 0 && static_cast<double>(slices) * work.ni > kMostPartials) break;
        const double cost = cost_of_slices(shape, work, slices);
        if (cost >= least) continue;
        least = cost;
        best = slices;
    }
    return best;
}

// Slices for one to six waves, chosen so that each wave fills the device with groups of nearly the
// same length.
inline int slices_of_few_waves(const LaunchShape &shape, const LaunchWork &work)
{
    constexpr int most_waves = 6;
    const int i_tiles = shape.i_tiles(work.ni), at_once = work.compute_units * shape.resident,
              most = shape.most_slices(work.tiles);
    int best = 1;
    double best_use = -1;
    for (int waves = 1; waves <= most_waves; waves++) {
        const int slices = std::max(1, std::min(most, waves * at_once / i_tiles));
        const double groups = static_cast<double>(slices) * i_tiles;
        const double units = std::ceil(static_cast<double>(work.tiles) / shape.unit) / slices;
        // In the last wave a twentieth of its time is lost.
        const double use =
            groups / (std::ceil(groups / at_once) * at_once) * units / std::ceil(units) -
            0.05 / waves;
        if (use > best_use) {
            best_use = use;
            best = slices;
        }
    }
    return best;
}

// Slices of the j-particles.  wanted: the number that G6_DEBUG asks for; 0: none.
inline int best_slices(const LaunchShape &shape, const LaunchWork &work, int wanted = 0)
{
    const int most = shape.most_slices(work.tiles);
    if (wanted > 0) return std::min(most, wanted);
    if (work.ni < kManyI) {
        const int at_once = work.compute_units * shape.resident;
        const int slices = most_waves_of_few(shape, work) * at_once / shape.i_tiles(work.ni);
        return std::max(1, std::min(most, slices));
    }
    const int many = slices_of_many_waves(shape, work);
    return many > 0 ? many : slices_of_few_waves(shape, work);
}

// When direct sums on tensor cores pay (cuda/tensor.cu).
//
// The least i-particles and pairs of a block with which tensor cores save more time than it takes
// to lay out the j-particles for them.  The core looks for clumps from the same number of pairs on
// (kLeastPairsToAsk).
constexpr int kLeastOnTensors = 1024;
constexpr double kLeastPairsOnTensors = 1 << 28;

// Most j-particles on tensor cores.  Their batches take 2.7 GB with jerk, and up to half
// as much again where arrays have grown.
constexpr int kMostTensorSlots = 1 << 24;

// Blocks in clumps do not pay: many i-particles have a close pair in every batch, so that the batch
// is summed pair by pair.
inline bool pays_on_tensors(int whole_ni, int nj, bool clumped)
{
    return whole_ni >= kLeastOnTensors &&
           static_cast<double>(whole_ni) * nj >= kLeastPairsOnTensors && !clumped;
}

// Number of i-particles that walk the tree of nj bodies together: `most`, or a half, a quarter ...
// of it.  A large group shares the work of a walk.  But there must be `walks` groups to fill the
// device, and the i-particles of a group that spans more than 512 bodies have little in common.
inline int walk_group_size(int ni, int nj, int most, long long walks)
{
    constexpr long long kSparse = 512;
    int size = most;
    while (size > 1 && (ni / size < walks || kSparse * ni < static_cast<long long>(nj) * size))
        size /= 2;
    return size;
}

}  // namespace g6::gpu
