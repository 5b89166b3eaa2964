// SPDX-License-Identifier: MIT
// Softenings of j-particles for the tests of g6_set_j_softening().
#pragma once

#include "../physics.h"

namespace g6test {

// Softenings squared of n particles: 0, 1/64, 4/64 ... by turns.
inline std::vector<double> softenings(int n, int different)
{
    std::vector<double> eps2(n);
    for (int k = 0; k < n; ++k) eps2[k] = (k % different) * (k % different) / 64.0;
    return eps2;
}

}  // namespace g6test
