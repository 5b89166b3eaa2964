/* SPDX-License-Identifier: MIT
 *
 * Positions for nearest neighbours and lists: doubles, or the two planes of a split.  A distance
 * squared without doubles is good to 1e-6: the host decides where that is not enough.  Included
 * after range.h.
 */
#if G6_FP64
typedef double ireal;
typedef double distance2;
typedef __global const double *Positions;
#define G6_I_H2 7
G6_FN double distance_squared(Positions x, int step, int slot, __global const double *xi, int ni)
{
    const double dx = x[slot] - xi[0], dy = x[(size_t)step + slot] - xi[ni],
                 dz = x[2 * (size_t)step + slot] - xi[2 * ni];
    return G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx));
}
#else
typedef float ireal;
typedef float distance2;
typedef __global const float4 *Positions;
#define G6_I_H2 10
G6_FN float close_limit(__global const float *x, int ni)
{
    return g6_close_limit(fmax(fabs(x[0]), fmax(fabs(x[ni]), fabs(x[2 * ni]))));
}
G6_FN float distance_squared(Positions plane, int step, int slot, __global const float *xi, int ni)
{
    const float4 high = plane[slot], low = plane[(size_t)step + slot];
    const float dx = (high.x - xi[0]) + (low.x - xi[7 * ni]),
                dy = (high.y - xi[ni]) + (low.y - xi[8 * ni]),
                dz = (high.z - xi[2 * ni]) + (low.z - xi[9 * ni]);
    return G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx));
}
#endif
