/* SPDX-License-Identifier: MIT
 *
 * Bits of keys that follow a space-filling curve, written once for C++ and CUDA C++.  The Hilbert
 * curve is computed by a table on the host (libg6gpu/tree/keys.cpp) and by bit operations on a GPU
 * (backends/cuda/curve.cuh), each the faster there; both end in these.
 *
 * Included with G6_FN (qualifiers of a function) defined.
 */

/* The 21 bits of v with two zero bits before each. */
G6_FN unsigned long long g6_spread(unsigned long long v)
{
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

/* The bits of three numbers in turn, from the top bit down, `first` in front. */
G6_FN unsigned long long g6_interleave(unsigned first, unsigned second, unsigned third)
{
    return g6_spread(first) << 2 | g6_spread(second) << 1 | g6_spread(third);
}
