/* SPDX-License-Identifier: MIT
 *
 * The root cube of a tree, and the grid coordinates that keys are made of, 2^21 along each edge;
 * written once for C++ and CUDA C++.
 *
 * The cube holds all bodies, unless some bodies are so far out that all the others would share a
 * few keys and the tree would not divide them.  The cube is then a smaller one around the core of
 * the system, and a body outside the cube counts as at its face.  Only the cost of a walk depends
 * on the cube: what a walk knows of where bodies are comes from the boxes of cells.
 *
 * A sample of the bodies tells how large the core is.  The slots 0 ... nj-1 are divided into equal
 * ranges, G6_CUBE_SAMPLES or, if there are fewer slots, one for each slot.  The sample has the
 * first live slot among the first G6_CUBE_LOOK slots of each range.  The size of the core is the
 * distance between the sample's tenth and ninetieth percentile, in the coordinate where that is
 * largest.
 *
 * Included with G6_FN (qualifiers of a function) and G6_REAL defined.
 */
#include "levels.h"

#define G6_CUBE_SAMPLES 255
#define G6_CUBE_LOOK 32
#define G6_CUBE_FAR_OUT 1024 /* the cube's largest size, in sizes of the core */

/* Positions of the percentiles and the median in an ascending sample of n > 0. */
#define G6_CUBE_LOW(n) ((n) / 10)
#define G6_CUBE_MIDDLE(n) ((n) / 2)
#define G6_CUBE_HIGH(n) ((n)*9 / 10)

/* Grid coordinate of x, 0 ... 2^21 - 1.  A position outside the cube counts as one at its face. */
G6_FN unsigned g6_grid_coordinate(G6_REAL x, G6_REAL corner, G6_REAL size)
{
    const G6_REAL all = 1 << G6_KEY_LEVELS, at = (x - corner) / size * all;
    return at >= all ? (1u << G6_KEY_LEVELS) - 1 : at > 0 ? (unsigned)at : 0u;
}

G6_FN int g6_cube_ranges(int nj)
{
    return nj < G6_CUBE_SAMPLES ? nj : G6_CUBE_SAMPLES;
}

/* First slot of range k; nj for k = g6_cube_ranges(nj). */
G6_FN int g6_cube_range(int k, int nj)
{
    return (int)((long long)k * nj / g6_cube_ranges(nj));
}

/* low, high: of all bodies; middle: the sample's medians; core: the size of the core.  A cube
 * around bodies at one point has the smallest size that is not denormal. */
G6_FN void g6_root_cube(const G6_REAL *low, const G6_REAL *high, const G6_REAL *middle,
                        G6_REAL core, G6_REAL *corner, G6_REAL *size)
{
    G6_REAL extent = 2.2250738585072014e-308;
    for (int d = 0; d < 3; d++)
        if (high[d] - low[d] > extent) extent = high[d] - low[d];
    const int cut = core > 0 && extent > G6_CUBE_FAR_OUT * core;
    *size = cut ? G6_CUBE_FAR_OUT * core : extent;
    for (int d = 0; d < 3; d++) corner[d] = cut ? middle[d] - *size / 2 : low[d];
}
