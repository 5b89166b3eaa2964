/* SPDX-License-Identifier: MIT
 *
 * The root cube of a tree, and the places that keys are made of, 2^21 along each edge; written once
 * for C++ and CUDA C++.
 *
 * The cube holds all bodies, unless some are so far out that all the others would share a few keys
 * and the tree would not divide them.  Then the cube holds the others.  Bodies outside count as at
 * its face: boxes of cells, not cubes, bound where bodies are, so that only the cost of a walk
 * depends on the cube.
 *
 * A sample of the bodies tells what "far out" is.  The slots 0 ... nj-1 are divided into equal
 * ranges, G6_CUBE_SAMPLES or one for each slot; of the first G6_CUBE_LOOK slots of a range the
 * first that is live is in the sample.  The core of the system is the largest, over the
 * coordinates, of the distances between the sample's tenth and ninetieth percentile.
 *
 * Included with G6_FN (qualifiers of a function) and G6_REAL defined.
 */
#include "levels.h"

#define G6_CUBE_SAMPLES 255
#define G6_CUBE_LOOK 32
#define G6_CUBE_FAR_OUT 1024 /* sizes of the core */

/* Places in an ascending sample of n > 0. */
#define G6_CUBE_LOW(n) ((n) / 10)
#define G6_CUBE_MIDDLE(n) ((n) / 2)
#define G6_CUBE_HIGH(n) ((n)*9 / 10)

/* Number of the place along one coordinate. */
G6_FN unsigned g6_cube_place(G6_REAL x, G6_REAL corner, G6_REAL size)
{
    const G6_REAL all = 1 << G6_KEY_LEVELS, place = (x - corner) / size * all;
    return place >= all ? (1u << G6_KEY_LEVELS) - 1 : place > 0 ? (unsigned)place : 0u;
}

G6_FN int g6_cube_ranges(int nj)
{
    return nj < G6_CUBE_SAMPLES ? nj : G6_CUBE_SAMPLES;
}

/* First slot of range k; of the number of ranges: nj. */
G6_FN int g6_cube_range(int k, int nj)
{
    return (int)((long long)k * nj / g6_cube_ranges(nj));
}

/* low, high: of all bodies; middle: the sample's medians.  A cube around bodies in one place has
 * the smallest size that is not denormal. */
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
