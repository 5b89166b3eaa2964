// SPDX-License-Identifier: MIT
// Adds the sums of an i-particle over some j-particles to its sums over others, as softening
// classes do.
//
// Invariant: the nearest of both stays; of two at the same distance, the one of the lower address.
#pragma once

#include "../backend.h"

namespace g6 {

inline void add_force(G6Sums &sum, const G6Sums &part)
{
    for (int k = 0; k < 3; k++) {
        sum.acc[k] += part.acc[k];
        sum.jerk[k] += part.jerk[k];
    }
    sum.pot += part.pot;
}

// sum.nn_slot is an address.  address: that of part's nearest neighbour; -1: it has none.
inline void add_nearest(G6Sums &sum, const G6Sums &part, int address)
{
    if (address < 0) return;
    const bool nearer = sum.nn_slot < 0 || part.nn_r2 < sum.nn_r2 ||
                        (part.nn_r2 == sum.nn_r2 && address < sum.nn_slot);
    if (!nearer) return;
    sum.nn_r2 = part.nn_r2;
    sum.nn_slot = address;
    sum.nn_index = part.nn_index;
}

}  // namespace g6
