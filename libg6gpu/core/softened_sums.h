// SPDX-License-Identifier: MIT
// Direct sums over point masses where each mass has a softening, too:
//     s = sqrt(|r|^2 + eps_i^2 + eps_j^2),  acc = sum m r / s^3,  pot = sum m / s
//
// Invariants
//  * All is in double, and in the host's own instruction set.  The same points and targets give the
//    same bits for any number of threads.
//  * Values up to PointSums::kTooLarge overflow nowhere but in a result that is no double.
//  * A pair with s = 0 adds nothing.  The unit of length is the extent of points and targets: s^2
//    is 0 where s is below 1e-162 of it.
#pragma once

#include "../point_sums.h"

namespace g6 {

struct SoftenedPoints {
    const double (*x)[3];
    const double *mass, *eps2;
    int n;  // from 1
};

void sum_softened(const SoftenedPoints &points, const PointTargets &targets, int threads,
                  double (*acc)[3], double *pot);

}  // namespace g6
