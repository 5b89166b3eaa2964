// SPDX-License-Identifier: MIT
// Which blocks need the guard of close pairs: kernels that look at each pair's distance and add
// close ones in double (libg6gpu/formulas/range.h), for some more time.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/formulas/range.h"

#include <algorithm>
#include <cmath>

namespace g6::gpu {

// Whether the softening of an i-particle in the caller's units lets a pair come so close.  The
// margin is for kernels that compare in float.
inline bool may_be_close(const G6IRecord &i, double length)
{
    const double far = std::max({std::fabs(i.x[0]), std::fabs(i.x[1]), std::fabs(i.x[2])}) * length;
    return i.eps2 * length * length < 1.001 * g6_close_limit(far);
}

}  // namespace g6::gpu
