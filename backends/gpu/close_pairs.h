// SPDX-License-Identifier: MIT
// Whether a block may have pairs of small softened distance (g6_close_limit() in
// libg6gpu/formulas/range.h).  Only then do direct sums in double compare distances and treat such
// pairs otherwise, which takes longer.  Direct sums in mixed do so in every block, and walks where
// bodies lie near a group of i-particles.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/formulas/range.h"

namespace g6::gpu {

// Whether some softening is so small that a pair may be close.  The least softening is compared at
// the farthest position: where softenings differ, a block may be guarded without need.  The margin
// is for kernels that compare in float.
inline bool may_be_close(const Block &b)
{
    const double length = b.scale.length;
    return b.least_eps2 * length * length < 1.001 * g6_close_limit(b.farthest * length);
}

}  // namespace g6::gpu
