// SPDX-License-Identifier: MIT
// Keys of positions in a cube along the Peano-Hilbert curve: 21 bits a coordinate, 63 in all.
// Invariant: the leading 3 l bits of a key name the cube's cell of level l that holds the position.
#pragma once

#include <cstdint>

namespace g6 {

#define G6_FN inline
#define G6_REAL double
#include "../formulas/cube.h"
#include "../formulas/curve.h"
#undef G6_FN
#undef G6_REAL

constexpr int kKeyLevels = G6_KEY_LEVELS;

struct Cube {
    double corner[3] = {0, 0, 0};
    double size = 1;
};

std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z);

inline std::uint64_t key_of(const Cube &cube, double x, double y, double z)
{
    return hilbert_key(g6_grid_coordinate(x, cube.corner[0], cube.size),
                       g6_grid_coordinate(y, cube.corner[1], cube.size),
                       g6_grid_coordinate(z, cube.corner[2], cube.size));
}

// Deepest level whose cell holds both keys.
inline int common_level(std::uint64_t a, std::uint64_t b)
{
    return a == b ? kKeyLevels : (__builtin_clzll(a ^ b) - 1) / 3;
}

// The number along the curve, 0 to 7, of the cell of level + 1 that holds the key in its parent.
inline unsigned key_digit(std::uint64_t key, int level)
{
    return static_cast<unsigned>(key >> (3 * (kKeyLevels - 1 - level))) & 7u;
}

}  // namespace g6
