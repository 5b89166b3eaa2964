// SPDX-License-Identifier: MIT
// The velocity that the particles of a system have in common.
#pragma once

#include <array>
#include <vector>

namespace g6 {

// Finds the common velocity of particles that have these velocities, which are finite.  It is the
// median of each component, which a few fast particles do not move, rounded to multiples of the
// power of two below the median difference from it, so that it seldom changes while the system
// moves.
//
// Returns false, and leaves `common` alone, if more than a sixteenth of the particles differ from
// it, in some component, by a quarter of its largest component or more.  So velocities of random
// directions have none.
bool find_common_velocity(const std::vector<std::array<double, 3>> &velocities, double common[3]);

// The largest component of v - from.
double largest_difference(const double v[3], const double from[3]);

}  // namespace g6
