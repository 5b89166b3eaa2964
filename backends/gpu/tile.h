// SPDX-License-Identifier: MIT
// Tiles of the j-particles on a GPU.
#pragma once

namespace g6::gpu {

// j-particles that launches divide their work by: a float sum takes so many terms before it is
// flushed to double.  OpenCL C knows it as G6_TILE.
constexpr int kTile = 64;

// Tiles of nj slots.
constexpr int tiles_of(int nj)
{
    return (nj + kTile - 1) / kTile;
}

}  // namespace g6::gpu
