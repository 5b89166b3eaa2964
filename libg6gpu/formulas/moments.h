/* SPDX-License-Identifier: MIT
 *
 * A cell's centre of mass, from sums over its bodies; written once for C++ and CUDA C++.  The size
 * of a body is |m|.  Positions are weighted by size, so that negative masses do no harm.
 *
 * Included with G6_FN (qualifiers of a function), G6_REAL, G6_MIN and G6_MAX defined.
 */

/* A cell whose sum of sizes is less counts as empty: the reciprocal could overflow. */
#define G6_LEAST_SIZE 1e-290

/* Reciprocal of a cell's sum of sizes; 0 for an empty cell. */
G6_FN G6_REAL g6_each_size(G6_REAL size)
{
    return size < G6_LEAST_SIZE ? 0.0 : 1 / size;
}

/* One coordinate of the mean position.  sum: of |m| x; each: g6_each_size(size).  The result is
 * kept inside the bodies' box, low ... high, whatever the rounding.  An empty cell has the box's
 * middle. */
G6_FN G6_REAL g6_mean_position(G6_REAL sum, G6_REAL size, G6_REAL each, G6_REAL low, G6_REAL high)
{
    const G6_REAL mean = size < G6_LEAST_SIZE ? 0.5 * low + 0.5 * high : sum * each;
    return G6_MAX(low, G6_MIN(high, mean));
}

/* Whether a cell has masses of both signs.  abs_mass: |sum of m|; size: sum of |m|.  The margin is
 * for the rounding of both sums. */
G6_FN int g6_mixes_signs(G6_REAL abs_mass, G6_REAL size)
{
    return abs_mass < size * (1 - 1e-9);
}
