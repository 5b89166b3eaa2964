// SPDX-License-Identifier: MIT
// The formulas of libg6gpu/formulas/tree.h for the host, in double precision.
#pragma once

#include <cmath>

namespace g6 {

#define G6_FN inline
#define G6_REAL double
#define G6_SQRT(x) std::sqrt(x)
#include "../formulas/tree.h"
#undef G6_FN
#undef G6_REAL
#undef G6_SQRT

}  // namespace g6
