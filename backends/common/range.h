/* SPDX-License-Identifier: MIT
 *
 * Limits that keep every intermediate of a pair inside the range of float (precisions mixed and
 * single) or double, in device units: typical lengths, masses and velocities are near 1 there, the
 * largest mass is below 2^61, the largest velocity that a client sent, too, and the product of both
 * below 2^102 (struct Scale in libg6gpu/backend.h).
 *
 * Positions and predicted velocities beyond their limit count as the limit, so that one lost
 * particle harms nobody.  Its force on the others, below 1e-36 of theirs, vanishes in float either
 * way.
 */

/* Coordinates, with pairs in float and in double: squares of distances stay finite. */
#define G6_FARTHEST 1e18
#define G6_FARTHEST_DOUBLE 1e150

/* Velocity components: products with a distance stay finite. */
#define G6_FASTEST 4.6e18
#define G6_FASTEST_DOUBLE 1e100

/* Softened distance squared below which float m / r^3 may overflow: the pair is added in double.
 * m v / r^3 may overflow up to a distance of 2^-8, where the heaviest particle meets the fastest in
 * a system whose masses and velocities both have such outliers. */
#define G6_CLOSE 1e-13

/* Softened distance squared below which double m v / r^3 may overflow: the pair counts as
 * coincident and unsoftened, and adds nothing. */
#define G6_COINCIDENT 1e-180
