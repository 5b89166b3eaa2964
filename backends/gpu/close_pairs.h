// SPDX-License-Identifier: MIT
// Which blocks need the guard of close pairs: kernels that look at each pair's distance and add
// close ones in double (libg6gpu/formulas/range.h), for some more time.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/formulas/range.h"

namespace g6::gpu {

// Whether the softening of some i-particle lets a pair come so close.  It is asked of the least
// softening at the farthest place: where softenings differ, a block may be guarded without need.
// The margin is for kernels that compare in float.
inline bool may_be_close(const Block &b)
{
    const double length = b.scale.length;
    return b.least_eps2 * length * length < 1.001 * g6_close_limit(b.farthest * length);
}

}  // namespace g6::gpu
