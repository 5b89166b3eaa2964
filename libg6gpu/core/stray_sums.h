// SPDX-License-Identifier: MIT
// Sums over j-particles for strays: i-particles whose distances do not fit the range of the
// devices' arithmetic in the units of their block (i_particles.h chooses them).
//
// Invariants
//  * The host computes them, as direct sums in long double, whose exponents have 15 bits: products
//    of a pair neither overflow nor vanish, whatever its masses, lengths and velocities are.
//  * A softened distance that is too small for devices counts as 0 here too, so that the force of a
//    pair does not depend on who sums it.
//  * The sums follow from the i-particle, the members of StrayMasses and the j-particles in slots
//    0 ... nj-1 alone.  So their bits depend on no device, no worker and no number of threads.
//  * All outputs are computed: a block that is computed again, for more outputs or on another
//    device, keeps them.
//  * A predicted value that is not finite counts as the largest double.
#pragma once

#include "../particles/jstore.h"

#include <vector>

namespace g6 {

struct Stray {
    int number;  // among the i-particles of the block
    G6IRecord i;
};

// The j-particles that act, and how they move.
struct StrayMasses {
    const JStore &store;
    int nj;
    double t;
    bool use_snap;
    double closest = 0;  // smaller softened distances count as 0
};

// Whether a coordinate of one of them is `limit` or larger, or no number.  threads: the setting.
bool any_beyond(const StrayMasses &masses, double limit, int threads);

// What one stray has for results.
struct StraySum {
    int number = 0;
    G6Sums sums{};  // nn_slot is an address
    struct Neighbour {
        int address, index;
    };
    std::vector<Neighbour> neighbours;  // in the order of addresses
};

// own_in_lists: neighbour lists hold entries with the i-particle's own index too.  threads: the
// setting.
std::vector<StraySum> sum_strays(const std::vector<Stray> &strays, const StrayMasses &masses,
                                 bool own_in_lists, int threads);

}  // namespace g6
