// SPDX-License-Identifier: MIT
// Keys along the Peano-Hilbert curve on the device: 21 bits a coordinate.
// Invariant: the leading 3 l bits of a key name the cube's cell of level l that holds the position
// (as libg6gpu/tree/keys.h; the two curves differ by a rotation).
#pragma once

#include "prelude.cuh"
#include "tree.h"

namespace g6::cuda {

// The algorithm of Skilling (2004, AIP Conf. Proc. 707, 381): from the top bit down undoes the
// exchanges and inversions of each level, then decodes the Gray code.  The bits of the three words
// interleave to the key.
static __device__ __forceinline__ void to_hilbert(unsigned (&x)[3])
{
    for (unsigned top = 1u << (kLevels - 1); top > 1; top >>= 1) {
        const unsigned below = top - 1;
        for (int c = 0; c < 3; c++) {
            if (x[c] & top) {
                x[0] ^= below;
            } else {
                const unsigned t = (x[0] ^ x[c]) & below;
                x[0] ^= t;
                x[c] ^= t;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    unsigned t = 0;
    for (unsigned top = 1u << (kLevels - 1); top > 1; top >>= 1)
        if (x[2] & top) t ^= top - 1;
    for (int c = 0; c < 3; c++) x[c] ^= t;
}

static __device__ __forceinline__ unsigned long long tree_key(const double corner[3], double size,
                                                              const double at[3])
{
    unsigned x[3];
    for (int c = 0; c < 3; c++) x[c] = g6_grid_coordinate(at[c], corner[c], size);
    to_hilbert(x);
    return g6_interleave(x[0], x[1], x[2]);
}

// Deepest level whose cell holds both keys.
static __device__ __forceinline__ int common_level(unsigned long long a, unsigned long long b)
{
    return a == b ? kLevels : (__clzll(static_cast<long long>(a ^ b)) - 1) / 3;
}

// The place of a cube (not the place of a body) is one number: a leading 1 bit, then the cube's
// three grid coordinates of `level` bits each.  first_place() is the place of the cube of this
// level at the corner.
static __device__ __forceinline__ unsigned long long first_place(int level)
{
    return 1ull << (3 * level);
}
static __device__ __forceinline__ int place_level(unsigned long long place)
{
    return (63 - __clzll(static_cast<long long>(place))) / 3;
}

// Place of the cube of a cell, from any body of the cell at its position during the build.
static __device__ unsigned long long cube_of(const TreeState &s, const Vec4<double> &b, int level)
{
    const double x[3] = {b.x, b.y, b.z};
    unsigned long long at = 1;
    for (int d = 0; d < 3; d++)
        at = at << level | g6_grid_coordinate(x[d], s.corner[d], s.size) >> (kLevels - level);
    return at;
}

// Which child of a cell of this level holds the key: its number along the curve, 0 to 7.
static __device__ __forceinline__ unsigned key_digit(unsigned long long key, int level)
{
    return static_cast<unsigned>(key >> (3 * (kLevels - 1 - level))) & 7u;
}

}  // namespace g6::cuda
