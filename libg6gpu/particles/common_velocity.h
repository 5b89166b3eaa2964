// SPDX-License-Identifier: MIT
// The velocity that the particles of a system have in common.
#pragma once

#include <array>
#include <vector>

namespace g6 {

// Finds the common velocity of particles that have these velocities, which are finite.  It is the
// median of each component, rounded to multiples of a power of two below the typical difference
// from it, so that it seldom changes while the system moves.
//
// It is false, and common is not written, unless the difference from the common velocity is less
// than a quarter of it for all particles but a sixteenth.  So velocities of random directions have
// none.
bool find_common_velocity(const std::vector<std::array<double, 3>> &velocities, double common[3]);

// The largest component of v - from.
double largest_difference(const double v[3], const double from[3]);

}  // namespace g6
