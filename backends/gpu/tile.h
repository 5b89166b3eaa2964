// SPDX-License-Identifier: MIT
// Tiles and slots of the j-particles on a GPU.
#pragma once

#include <cstddef>

namespace g6::gpu {

// j-particles of a tile.  Launches divide the j-particles into whole tiles, and a float sum takes
// the terms of at most one tile before it is flushed to double.  In OpenCL C its name is G6_TILE.
constexpr int kTile = 64;

// Tiles of nj slots.
constexpr int tiles_of(int nj)
{
    return (nj + kTile - 1) / kTile;
}

// The smallest capacity that has n slots.  Capacities are whole numbers of pairs of tiles, because
// a block of CUDA's predict_kernel serves two tiles.
constexpr long long whole_slots(long long n)
{
    constexpr int kPair = 2 * kTile;
    return (n + kPair - 1) / kPair * kPair;
}

// Doubles of a j-record: x v a2 j6 k18 (three each), mass, t.
constexpr int kFields = 17;
// Most arrays of predicted j-particles (cuda/layout.cuh), and the bytes of a word in them.
constexpr int kMaxPlanes = 4;
constexpr std::size_t kWordBytes = 16;

constexpr const char *kFewerParticles = "use fewer particles";

}  // namespace g6::gpu
