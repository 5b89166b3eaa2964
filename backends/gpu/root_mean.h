/* SPDX-License-Identifier: MIT
 *
 * G6_ROOT_MEAN: the mean relative error of rsqrt.approx.ftz.f32, the reciprocal root of NVIDIA's
 * special-function unit, for arguments evenly spread in the logarithm.  It was measured on an H200
 * over all floats of [1, 4), where the rms of the error is 3.2e-8.  In a sum over many pairs the
 * random errors average out, but their mean stays.  Uncorrected it would make potentials too small
 * by 5.6e-9 to 7.7e-9 of themselves, and accelerations by three times as much.
 *
 * The terms of a sum have the root to some power p, so that the mean error of a float sum is
 * p G6_ROOT_MEAN of it.  G6_ROOT_FACTOR(p) takes it out.  The two terms of the jerk have the third
 * and the fifth power; both are corrected as if it were the fourth.
 *
 * Part of the CUDA and the OpenCL backend.
 */
#ifndef G6_ROOT_MEAN
#define G6_ROOT_MEAN (-5.548e-9)
#define G6_ROOT_FACTOR(power) (1 - (power)*G6_ROOT_MEAN)
#endif
