// SPDX-License-Identifier: MIT
// The formulas of libg6gpu/formulas tree.h, moments.h and opening.h for the host, in double
// precision.
#pragma once

#include <algorithm>
#include <cmath>

namespace g6 {

#define G6_FN inline
#define G6_REAL double
#define G6_SQRT(x) std::sqrt(x)
#define G6_POW(x, y) std::pow(x, y)
#define G6_MIN(a, b) std::min(a, b)
#define G6_MAX(a, b) std::max(a, b)
#define G6_INFINITY HUGE_VAL
#include "../formulas/tree.h"
#include "../formulas/moments.h"
#include "../formulas/opening.h"
#undef G6_FN
#undef G6_REAL
#undef G6_SQRT
#undef G6_POW
#undef G6_MIN
#undef G6_MAX
#undef G6_INFINITY

}  // namespace g6
