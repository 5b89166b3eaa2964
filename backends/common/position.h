/* SPDX-License-Identifier: MIT
 *
 * Limits of positions where the rest of a pair is in float (precisions mixed and single), in device
 * units, which bring typical positions near 1 (struct Scale in libg6gpu/backend.h).
 */

/* Coordinates beyond this count as this: the square of a distance stays finite in float, so that
 * one lost particle harms nobody.  Its force on the others, below 1e-36 of theirs, vanishes in
 * float either way. */
#define G6_FARTHEST 1e18
