/* SPDX-License-Identifier: MIT
 *
 * Limits that keep every intermediate of a pair inside the range of float (precisions mixed and
 * single); double has the same limits.  All numbers are in device units (struct Scale in
 * libg6gpu/backend.h): typical lengths, masses and velocities are near 1, and what a client sends
 * is below 2^35 (coordinates) and 2^61 (masses, velocities).  Velocities are measured from the
 * common velocity of the scale, if there is one.
 *
 * A j-particle may be predicted beyond a limit.  Its coordinates and velocity are then replaced by
 * numbers within the limits, and its mass by NaN.  So the sums of an i-particle over it are NaN,
 * and the host sums this i-particle (libg6gpu/core/stray_sums.h).  i-particles are within the
 * limits.
 *
 * Written once for C++, CUDA C++ and OpenCL C.  In OpenCL C the functions compute in float,
 * elsewhere in double.
 */
#ifndef G6_FORMULAS_RANGE_H
#define G6_FORMULAS_RANGE_H

#if defined(__OPENCL_C_VERSION__)
#define G6_RANGE_FN static inline float
#define G6_RANGE_REAL float
#elif defined(__CUDACC__)
#define G6_RANGE_FN __host__ __device__ inline double
#define G6_RANGE_REAL double
#else
#define G6_RANGE_FN inline double
#define G6_RANGE_REAL double
#endif

/* Limit of coordinates, 2^37: r^-3 of a pair stays above 2^-117. */
#define G6_FARTHEST 137438953472.0

/* Limit of velocity components, 2^62: their products with a distance stay finite. */
#define G6_FASTEST 4611686018427387904.0

/* Softened distance squared below which m / r^3 may overflow in float: such a pair is added in
 * double.  m v / r^3 may overflow at larger distances, up to 0.4 (2^61 2^63 / 0.4^3 = 2^128), in a
 * system that has extreme masses and extreme velocities, where its heaviest particle meets its
 * fastest.  The sum is then not finite, and the host sums such an i-particle. */
#define G6_CLOSE 1e-13

/* The limit of close pairs where each position is cut into two floats, 48 bits together.  A
 * distance below 2^-24 (6e-8) of the largest coordinate then has fewer than 24 correct bits, the
 * number that a float holds. */
G6_RANGE_FN g6_close_limit(G6_RANGE_REAL largest_coordinate)
{
    const G6_RANGE_REAL r = largest_coordinate * (G6_RANGE_REAL)6e-8;
    return r * r > (G6_RANGE_REAL)G6_CLOSE ? r * r : (G6_RANGE_REAL)G6_CLOSE;
}

/* The same limit for the unsoftened distance squared.  A pair whose softened distance squared is
 * below G6_CLOSE is below this limit, too. */
G6_RANGE_FN g6_close_distance2(G6_RANGE_REAL largest_coordinate, G6_RANGE_REAL eps2)
{
    const G6_RANGE_REAL r = largest_coordinate * (G6_RANGE_REAL)6e-8,
                        rest = (G6_RANGE_REAL)G6_CLOSE - eps2;
    return r * r > rest ? r * r : rest;
}

/* A factor on the limit with which the smallest softened distance squared of a tile is compared.
 * With it, three roundings to float hide no pair below g6_close_distance2(). */
#define G6_ROUNDED_UP (1 + 4.8e-7)

/* Softened distance squared below which double m v / r^3 may overflow: the pair counts as
 * coincident and unsoftened, and adds nothing. */
#define G6_COINCIDENT 1e-180

/* Two distances from one i-particle, measured between positions that are cut into two floats, may
 * stand in the wrong order where they differ by less than this share of the i-particle's largest
 * coordinate X.  A position in two floats is good to 2^-49 X.  The difference of two high parts is
 * exact for bodies close together, and that of two low parts, at most 2^-23 X, is rounded to
 * 2^-48 X.  So a component of the vector between two bodies is off by at most 2^-47 X, and a
 * distance by sqrt(3) times as much, with softening or without:
 *     |sqrt(a^2 + eps^2) - sqrt(b^2 + eps^2)| <= |a - b|
 * Two distances are off by 2 sqrt(3) 2^-47 X < 2^-45 X together.  The other roundings are a share
 * of the distances themselves. */
#define G6_SPLIT_DOUBT 0x1p-45f

#endif
