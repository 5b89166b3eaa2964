/* SPDX-License-Identifier: MIT
 *
 * Candidates of neighbour lists on GPUs: pairs whose distance squared in float is at most a limit.
 * Only for these is the distance computed to all digits, which decides.  Floats are of positions
 * from a centre amid i-particles that are searched together.  Written once for C++, CUDA C++ and
 * OpenCL C.
 *
 * Included with G6_FN (qualifiers of a function), G6_REAL, G6_SQRT, G6_MIN, G6_MAX and G6_INFINITY
 * defined.  G6_REAL is double.
 */

/* A coordinate from the centre beyond +-G6_FAR_J counts as +-G6_FAR_J.  Where |x_i| and h are below
 * G6_FAR_I, such a j-particle is no neighbour.  Elsewhere each pair is a candidate. */
#define G6_FAR_J 1e18f
#define G6_FAR_I 1e17f

/* Floats below 2^-126 are multiples of 2^-149, or count as 0 on a device, so that no relative bound
 * holds for smaller limits. */
#define G6_LEAST_CANDIDATE_LIMIT 0x1p-120f

/* The middle one of three coordinates.  With those of three i-particles it is amid the i-particles:
 * a single one that is far from the others cannot move it away from them. */
G6_FN G6_REAL g6_middle(G6_REAL x, G6_REAL y, G6_REAL z)
{
    return G6_MAX(G6_MIN(x, y), G6_MIN(G6_MAX(x, y), z));
}

/* A float that no entry's distance squared in float exceeds.
 *     far  the largest |coordinate| of the i-particle, from the centre
 *     h2   the radius squared; NaN, 0 or less: no pair is a candidate
 * An entry is within far + h of the centre.  With u = 2^-24, the rounding of a float, a component
 * of the distance is off by
 *     u (far + h)    position of the j-particle
 *     u far          position of the i-particle
 *     u h            their difference
 * The distance is off by sqrt(3) times the sum, which is less than 4 u (far + h).  The sum of
 * squares is off by less than 4 u of itself, and this function rounds its result by u. */
G6_FN float g6_candidate_limit(G6_REAL far, G6_REAL h2)
{
    if (!(h2 > 0)) return -1;
    const G6_REAL h = G6_SQRT(h2), error = 0x1p-22f;
    if (!(far < G6_FAR_I && h < G6_FAR_I)) return (float)G6_INFINITY;
    const G6_REAL r = h + error * (far + h), r2 = r * r * (1 + 2 * error);
    return (float)(r2 > G6_LEAST_CANDIDATE_LIMIT ? r2 : G6_LEAST_CANDIDATE_LIMIT);
}
