/* SPDX-License-Identifier: MIT
 *
 * The distance squared of slot and i-particle in double, for nearest neighbours and lists.
 * x: [3][step], xi: [3][ni] of the i-particle.
 */
G6_FN double distance_squared(__global const double *x, int step, int slot,
                              __global const double *xi, int ni)
{
    const double dx = x[slot] - xi[0], dy = x[(size_t)step + slot] - xi[ni],
                 dz = x[2 * (size_t)step + slot] - xi[2 * ni];
    return G6_FMA(dz, dz, G6_FMA(dy, dy, dx * dx));
}
