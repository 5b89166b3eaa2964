/* SPDX-License-Identifier: MIT
 *
 * The constants of direct sums on tensor cores.  The head of backends/cuda/tensor.cu has the
 * formulas and defines r2, w, u and careful.
 *
 * A stage has the factors of some tiles of j-particles, [factor][stride] doubles, then their
 * masses, floats, then the range of the indices of each tile, two ints.
 */
#ifndef G6_TENSOR_FORMULAS_H
#define G6_TENSOR_FORMULAS_H

#include "root_mean.h"

/* r2 is multiplied by G6_LIFT, and masses that w is multiplied by, by G6_BITS_SCALE. */
#define G6_LIFT 0x1p128
#define G6_BITS_SCALE 0x1p896

/* Squares of distances and of velocities from which on an i-particle is careful. */
#define G6_FAR_R2 0x1p50
#define G6_FAST_V2 0x1p76
/* The share of |x_i|^2 up to which r2 is that of a close pair, and the multiple of eps_i^2 up to
 * which it may be that of a pair far inside the softening. */
#define G6_CLOSE_SHARE 0x1p-24
#define G6_BARELY_ABOVE (1 + 0x1p-22)
/* The r2 of an empty slot: beyond the square of any distance (G6_FARTHEST), and a float. */
#define G6_EMPTY_R2 0x1p125

/* Mean relative errors, which are taken out of the sums.  r2 is cut to 23 bits of mantissa, on
 * average by 2^-24 / (2 ln 2) of it where the mantissa is spread evenly in its logarithm. */
#define G6_CUT_MEAN (-0.72134752 * 0x1p-24)
#define G6_INVERSE_MEAN (G6_ROOT_MEAN - 0.5 * G6_CUT_MEAN) /* of 1/r */
#define G6_MINUS_THREE (-3 * (1 - 2 * G6_INVERSE_MEAN))    /* u has two more factors 1/r than w */

/* Numbers of the factors, each a double for every j-particle.  A warp reads four factors at once as
 * doubles: their numbers differ modulo 4.  A quarter of a warp reads two factors at once as pairs
 * of doubles: their numbers differ by 2 modulo 4.  So these reads meet in no bank. */
#define G6_FACTOR_X 0
#define G6_FACTOR_Z 1
#define G6_FACTOR_Y 2
#define G6_FACTOR_X2 3
#define G6_FACTOR_VX 4 /* from here on with jerk alone */
#define G6_FACTOR_XV 5
#define G6_FACTOR_VY 6
#define G6_FACTOR_VZ 7
#define G6_FACTOR_W(jerk) ((jerk) ? 8 : 4) /* times mass and G6_BITS_SCALE: multiplied by w */
#define G6_FACTOR_WX(jerk) G6_FACTOR_W(jerk)
#define G6_FACTOR_WZ(jerk) (G6_FACTOR_W(jerk) + 1)
#define G6_FACTOR_WY(jerk) (G6_FACTOR_W(jerk) + 2)
#define G6_FACTOR_W1(jerk) (G6_FACTOR_W(jerk) + 3)
#define G6_FACTOR_WVX (G6_FACTOR_W(1) + 4)
#define G6_FACTOR_WVY (G6_FACTOR_W(1) + 6)
#define G6_FACTOR_WVZ (G6_FACTOR_W(1) + 7)
#define G6_FACTOR_U1 (G6_FACTOR_W(1) + 5) /* times mass: multiplied by u */
#define G6_FACTOR_UX (G6_FACTOR_W(1) + 8)
#define G6_FACTOR_UZ (G6_FACTOR_W(1) + 9)
#define G6_FACTOR_UY (G6_FACTOR_W(1) + 10)
#define G6_FACTORS(jerk) ((jerk) ? 19 : 8)

/* Places of a factor in a stage: the four factors that a warp reads at once lie in different
 * banks.  Bytes of a stage, a multiple of 16. */
#define G6_STAGE_STRIDE(slots) ((slots) + 4)
#define G6_STAGE_BYTES(jerk, tiles, tile)                                                          \
    ((G6_FACTORS(jerk) * G6_STAGE_STRIDE((tiles) * (tile)) * 8 + (tiles) * (tile)*4 + (tiles)*8 +  \
      15) /                                                                                        \
     16 * 16)

#endif
