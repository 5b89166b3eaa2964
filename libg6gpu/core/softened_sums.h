// SPDX-License-Identifier: MIT
// Direct sums over point masses where targets i and masses j have softening lengths of their own:
//     s = sqrt(|r|^2 + eps_i^2 + eps_j^2),  acc = sum m r / s^3,  pot = sum m / s
//
// Invariants
//  * All arithmetic is in double, in vectors that every processor of this kind has (on x86-64
//    those of SSE2).  The same points and targets give the same bits for any number of threads.
//  * With values up to PointSums::kTooLarge only a result beyond the range of double overflows.
//  * A pair with s = 0 adds nothing.  Lengths are scaled by the extent of points and targets, so
//    that s below 1e-162 of this extent counts as 0.
#pragma once

#include "../point_sums.h"

namespace g6 {

struct SoftenedPoints {
    const double (*x)[3];
    const double *mass, *eps2;
    int n;  // 1 or more
};

void sum_softened(const SoftenedPoints &points, const PointTargets &targets, int threads,
                  double (*acc)[3], double *pot);

}  // namespace g6
