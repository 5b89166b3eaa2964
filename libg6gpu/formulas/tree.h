/* SPDX-License-Identifier: MIT
 *
 * When a cell of a tree may act as a whole, written once for C++, CUDA C++ and OpenCL C: opening
 * radii, computed once per cell, and the test of a walk, one comparison of squares.
 *
 *   l   edge of the cell's cube
 *   s   distance from the cube's centre to the centre of mass
 *   b   largest distance of a body from the centre of mass
 *   b2  sum over the bodies of |m| times (distance from the centre of mass)^2
 *   d   distance of the i-particle from the centre of mass
 *
 *   bh            d > l/theta + s                      (Barnes 1995; Nakasato 2011)
 *   bmax          d > b/theta                          (Salmon & Warren 1994)
 *   multipole     bound on the error of the cell's acceleration below `error` (Warren & Salmon
 *                 1993; Salmon & Warren 1994, eq. for p = 1 and 2)
 *   acceleration  m l^2 / d^4 < alpha |a|              (Springel 2005, eq. 18)
 *   combined      multipole and bmax at 1.5 theta, or bh at 0.8 theta
 * The bound of multipole holds only where d > b, and the other criteria say nothing about a body of
 * the cell that is near the i-particle.  So bh, bmax and acceleration also demand d > 1.5 b, and
 * multipole and combined d > 1.25 b.  The factors 1.5 and 1.25 fall to 1.1 as theta grows from 1.25
 * or 1.5 to 1.7 (opening.h).
 *
 * Included with G6_FN (qualifiers of a function), G6_REAL and G6_SQRT defined.
 */

/* The criteria by number, as in enum class Mac of backend.h. */
#define G6_MAC_BH 0
#define G6_MAC_BMAX 1
#define G6_MAC_MULTIPOLE 2
#define G6_MAC_ACCELERATION 3
#define G6_MAC_COMBINED 4

G6_FN G6_REAL g6_radius_bh(G6_REAL l, G6_REAL s, G6_REAL theta)
{
    return l / theta + s;
}

G6_FN G6_REAL g6_radius_bmax(G6_REAL b, G6_REAL theta)
{
    return b / theta;
}

/* Monopole: 3 b2 / (d^2 (d-b)^2) = error, solved for d. */
G6_FN G6_REAL g6_radius_multipole(G6_REAL b, G6_REAL b2, G6_REAL error)
{
    return b / 2 + G6_SQRT(b * b / 4 + G6_SQRT(3 * b2 / error));
}

/* Quadrupole: 4 b3 / (d^3 (d-b)^2) = error, with b3 <= b b2.  The left side falls and is convex
 * beyond b: Newton's method on d^3 (d-b)^2 comes down to the root from any point above it, and
 * every iterate is a safe radius.  start: such a point, as b + (4 b b2 / error)^(1/5). */
G6_FN G6_REAL g6_radius_quadrupole(G6_REAL b, G6_REAL b2, G6_REAL error, G6_REAL start)
{
    const G6_REAL target = 4 * b * b2 / error;
    G6_REAL d = start;
    for (int step = 0; step < 4; step++) {
        const G6_REAL q = d - b, f = d * d * d * q * q - target;
        const G6_REAL slope = d * d * q * (3 * q + 2 * d);
        if (slope > 0 && f > 0) d = d - f / slope;
    }
    return d;
}

/* Largest d^4 |a| at which the acceleration criterion opens the cell. */
G6_FN G6_REAL g6_weight(G6_REAL mass, G6_REAL l, G6_REAL alpha)
{
    return mass * l * l / alpha;
}

/* r2: distance squared of the cell from the nearest point of a group of i-particles. */
G6_FN int g6_far(G6_REAL r2, G6_REAL radius2)
{
    return r2 > radius2;
}

/* a: smallest |a| of the group. */
G6_FN int g6_far_for(G6_REAL r2, G6_REAL near2, G6_REAL weight, G6_REAL a)
{
    return r2 > near2 && r2 * r2 * a > weight;
}

/* Adds m d d^T to second moments: xx xy xz yy yz zz. */
G6_FN void g6_add_second(G6_REAL *s, G6_REAL m, const G6_REAL *d)
{
    s[0] += m * d[0] * d[0];
    s[1] += m * d[0] * d[1];
    s[2] += m * d[0] * d[2];
    s[3] += m * d[1] * d[1];
    s[4] += m * d[1] * d[2];
    s[5] += m * d[2] * d[2];
}

/* Distance of x from the range low ... high along one coordinate; 0 inside. */
G6_FN G6_REAL g6_outside(G6_REAL x, G6_REAL low, G6_REAL high)
{
    const G6_REAL below = low - x, above = x - high;
    const G6_REAL d = below > above ? below : above;
    return d > 0 ? d : 0;
}
