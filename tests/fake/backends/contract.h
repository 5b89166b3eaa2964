// SPDX-License-Identifier: MIT
// What a fake device checks of the core's side of libg6gpu/backend.h.  The first violation stays in
// its FakeControl, where FakeTest looks for it after each test.
#pragma once

#include "plain_sums.h"

#include "libg6gpu/backend.h"
#include "tests/fake/control.h"

#include <cmath>
#include <cstdio>
#include <vector>

namespace g6test {

// One for each backend: every file of this folder becomes a library of its own.
inline FakeControl control;

inline void violation(const char *text)
{
    if (!control.violation[0])
        std::snprintf(control.violation, sizeof control.violation, "%s", text);
}

// What the core says about the motion and the units must hold, or a backend that believes it would
// be wrong.
inline void check_claims(const g6::Block &block, const std::vector<Slot> &slots)
{
    if (block.nj > int(slots.size())) violation("nj beyond reserve");
    if (block.ni <= 0 || !block.i == (block.i_words == 0))
        violation("the i-particles of a block are in no place or in two");
    if (!block.lead) violation("a block without a leader");
    if (block.tree) violation("the host's tree sent to a backend that builds its own");
    for (double factor : {block.scale.length, block.scale.velocity}) {
        int exponent = 0;
        if (!(factor > 0) || std::frexp(factor, &exponent) != 0.5)
            violation("scale is not a power of two");
    }
    if (!(block.scale.mass > 0)) violation("scale of mass is not positive");
    for (double common : block.scale.common_velocity) {
        if (!std::isfinite(common)) violation("a common velocity that is no number");
        if (block.motion == g6::Motion::kAtRest && common != 0)
            violation("particles at rest have a common velocity");
    }
    int live = 0;
    for (const Slot &s : slots) {
        if (!s.written) continue;
        live++;
        for (int k = 0; k < 3; ++k) {
            if (block.motion == g6::Motion::kAtRest &&
                (s.j.v[k] != 0 || s.j.a2[k] != 0 || s.j.j6[k] != 0))
                violation("a moving particle was called at rest");
            if (block.motion != g6::Motion::kQuartic && s.j.k18[k] != 0)
                violation("motion leaves out a2by18");
        }
    }
    if (live != block.live) violation("another number of particles than was staged");
}

// Whether the values of an i-particle are within the block's bounds.
inline void check_bounds(const g6::Block &block, const G6IRecord &i)
{
    if (!(block.least_eps2 <= i.eps2)) violation("a softening is below the least");
    for (double x : i.x)
        if (!(std::fabs(x) <= block.farthest)) violation("an i-particle is beyond the farthest");
}

}  // namespace g6test
