// SPDX-License-Identifier: MIT
// Tiles of the j-particles on a GPU.
#pragma once

namespace g6::gpu {

// j-particles of a tile.  Launches divide the j-particles into whole tiles, and a float sum takes
// the terms of at most one tile before it is flushed to double.  OpenCL C knows it as G6_TILE.
constexpr int kTile = 64;

// Tiles of nj slots.
constexpr int tiles_of(int nj)
{
    return (nj + kTile - 1) / kTile;
}

}  // namespace g6::gpu
