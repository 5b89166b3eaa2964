/* SPDX-License-Identifier: MIT
 *
 * Limits that keep every intermediate of a pair inside the range of float (precisions mixed and
 * single) or double.  All numbers are in device units (struct Scale in libg6gpu/backend.h): typical
 * lengths, masses and velocities are near 1, the largest mass and the largest velocity that a
 * client sent are below 2^61, and the product of these two is below 2^102.
 *
 * A position or predicted velocity beyond its limit is replaced by the limit, so that one escaped
 * particle does not spoil the forces on the others.  The escaped particle's own pull on them is
 * below 1e-36 of the typical force and vanishes in float with or without the limit.
 */

/* Limits of coordinates, for pairs in float and in double: squares of distances stay finite. */
#define G6_FARTHEST 1e18
#define G6_FARTHEST_DOUBLE 1e150

/* Limits of velocity components: their products with a distance stay finite. */
#define G6_FASTEST 4.6e18
#define G6_FASTEST_DOUBLE 1e100

/* Softened distance squared below which m / r^3 may overflow in float: such a pair is added in
 * double.  m v / r^3 may overflow at larger distances, up to 2^-8, in a system that has extreme
 * masses and extreme velocities, where its heaviest particle meets its fastest. */
#define G6_CLOSE 1e-13

/* Softened distance squared below which double m v / r^3 may overflow: the pair counts as
 * coincident and unsoftened, and adds nothing. */
#define G6_COINCIDENT 1e-180
