// SPDX-License-Identifier: MIT
// Numbers that are common to the files of Truth.
#pragma once

#include "truth.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6fuzz {

const Real kDouble = std::ldexp(Real(1), -53), kFloat = std::ldexp(Real(1), -24);
const Real kLeastFloat = std::ldexp(Real(1), -126), kLeastDouble = std::ldexp(Real(1), -1022);
constexpr Real kHuge = std::numeric_limits<double>::max();

// In typical lengths.  Distances that count as 0, and coordinates of i-particles from which on the
// host is sure to sum: a unit of length may be up to 2^40 typical lengths, also for the sake of a
// particle that has been overwritten.
constexpr Real kClosest = 1e-77L, kFarthest = 1.5e23L;

inline Real length(const Real *u)
{
    return std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

inline Real largest(const double *u)
{
    return std::max({std::fabs(u[0]), std::fabs(u[1]), std::fabs(u[2])});
}

inline bool finite3(const double *u)
{
    return std::isfinite(u[0]) && std::isfinite(u[1]) && std::isfinite(u[2]);
}

// A whole number of `unit` that is small enough for exact squares.
inline bool whole(Real x, Real unit)
{
    return std::fabs(x) < 1048576 * unit && x / unit == std::floor(x / unit);
}

}  // namespace g6fuzz
