// SPDX-License-Identifier: MIT
// The infinity of doubles, for the smallest or largest of no values.
#pragma once

#include <limits>

namespace g6 {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace g6
