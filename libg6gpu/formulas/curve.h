/* SPDX-License-Identifier: MIT
 *
 * The last step of making keys along a space-filling curve: it interleaves the bits of three
 * numbers.  Written once for C++ and CUDA C++.  The earlier steps are not shared: the host follows
 * the Hilbert curve by a table (libg6gpu/tree/keys.cpp) and a GPU by bit operations
 * (backends/cuda/curve.cuh), which is the faster way on each.
 *
 * Included with G6_FN (qualifiers of a function) defined.
 */

/* The low 21 bits of v, with two zero bits above each of them. */
G6_FN unsigned long long g6_spread(unsigned long long v)
{
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

/* The bits of three numbers of 21 bits, interleaved: from the top bit down, one bit of `first`, one
 * of `second` and one of `third` in turn. */
G6_FN unsigned long long g6_interleave(unsigned first, unsigned second, unsigned third)
{
    return g6_spread(first) << 2 | g6_spread(second) << 1 | g6_spread(third);
}
