// SPDX-License-Identifier: MIT
// Numbers that the files of Truth share.
#pragma once

#include "truth.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6fuzz {

const Real kDouble = std::ldexp(Real(1), -53), kFloat = std::ldexp(Real(1), -24);
const Real kLeastFloat = std::ldexp(Real(1), -126), kLeastDouble = std::ldexp(Real(1), -1022);
constexpr Real kHuge = std::numeric_limits<double>::max();

// In units of the device.  Distances whose third power a double cannot hold.
constexpr Real kClosest = 1e-90L, kFarthestDouble = 1e99L;
constexpr Real kFarthestFloat = 1e18L;
// Velocities: beyond, that of an i-particle leaves its jerk open, a predicted one counts as this.
constexpr Real kFastestFloat = 1e18L, kFastestDouble = 1e99L;
// A softening this many times above the typical length may be refused in float.
constexpr Real kMostSoftening = 5e29L;

inline Real length(const Real *u)
{
    return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

inline Real largest(const double *u)
{
    return std::max({std::fabs(u[0]), std::fabs(u[1]), std::fabs(u[2])});
}

// A whole number of `unit` that is small enough for exact squares.
inline bool whole(Real x, Real unit)
{
    return std::fabs(x) < 1048576 * unit && x / unit == std::floor(x / unit);
}

}  // namespace g6fuzz
