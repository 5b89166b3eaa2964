// SPDX-License-Identifier: MIT
// Sums over j-particles that the host computes because a device cannot: for strays (i_particles.h),
// and for i-particles for which a device has given sums that are not finite.  Such sums are
//  * sums in which a product left the range of float,
//  * all sums of a block in which a j-particle was predicted beyond the limits of formulas/range.h,
//  * sums for which a device without doubles has too few digits.
//
// Invariants
//  * The sums are direct sums in long double, whose exponents have 15 bits: products of a pair
//    neither overflow nor vanish, whatever its masses, lengths and velocities are.
//  * The sums follow from the i-particle, StrayMasses, StrayWants and the j-particles of addresses
//    0 ... nj-1 alone.  So their bits depend on no device, no worker and no number of threads.
//  * The sums have all outputs that the block may be asked for later.  So they need not be computed
//    again when a device computes the block again, for more outputs or in place of another device.
//  * Where a result, or the predicted position or velocity of a j-particle, exceeds the range of a
//    double, sum_strays() throws, and the block is refused.  In a softening class the square of the
//    distance to the nearest neighbour is such a result.
#pragma once

#include "../base/status.h"
#include "../base/vec3.h"
#include "../particles/jstore.h"

#include <vector>

namespace g6 {

// An i-particle that the host sums.
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
    // The addresses by which messages name the j-particles of slots; null: slots are addresses.
    const std::vector<int> *address = nullptr;
};

struct StrayWants {
    bool jerk;
    bool own_in_lists;  // neighbour lists hold entries with the i-particle's own index too
};

// The results of one stray.
struct StraySum {
    int number = 0;
    G6Sums sums{};  // nn_slot is an address
    struct Neighbour {
        int address, index;
    };
    std::vector<Neighbour> neighbours;  // in the order of addresses
};

// Whether the sums of an i-particle are finite.  Where its velocity is not finite, the jerk need
// not be, either.
inline bool are_finite(const G6Sums &s, const G6IRecord &i)
{
    return finite3(s.acc) && finite(s.pot) && (finite3(s.jerk) || !finite3(i.v));
}

// The error for a j-particle whose prediction exceeds the range of a double.
Error lost_particle(int address, double t);

// threads: the setting.  Throws Error(G6_ERR_ARGUMENT).
std::vector<StraySum> sum_strays(const std::vector<Stray> &strays, const StrayMasses &masses,
                                 const StrayWants &want, int threads);

}  // namespace g6
