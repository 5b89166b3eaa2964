// SPDX-License-Identifier: MIT
// The particles that g6bench sends, and the blocks in which they take their steps.
//
// The particles are a Plummer sphere, and every term of the predictor is in use: acceleration and
// derivatives are those in the smooth potential of the sphere, and the particles' own times lie
// behind the time of the block by powers of two.  The particles of a block are scattered over
// memory, as in a code with individual time steps.  The time of the blocks goes back and forth in a
// small range, so that the sphere stays as it is for any number of steps.
#pragma once

#include "library.h"

#include "../common/reference.h"

#include <cstdint>
#include <vector>

namespace g6bench {

// One block step, laid out as the calls take it.
struct Block {
    double ti = 0;
    std::vector<int> address;
    std::vector<g6tools::JParticle> j;  // what is sent before the force
    // The particles of j again, as one array for each argument of g6_set_j_particles().
    std::vector<double> t, mass;
    std::vector<Vec3> k18, j6, a2, jv, jx;
    // The i-particles: the particles of j, predicted to the time ti.
    std::vector<int> index;
    std::vector<Vec3> x, v, aold, j6old;
    std::vector<double> phiold, h2;

    int size() const { return static_cast<int>(address.size()); }
};

class Work {
public:
    // nj particles from a random seed.  snap: the predictor's fourth-order term k18 is in use.
    // unordered: indices are a random permutation; otherwise the index is address + 1.
    Work(int nj, std::uint64_t seed, bool snap, bool unordered = false);

    int nj() const { return static_cast<int>(particles_.size()); }
    // The library's j-particles when all blocks that were made so far have been sent.
    const std::vector<g6tools::JParticle> &particles() const { return particles_; }
    // Makes the next block, of n particles, and advances these in particles().
    Block next_block(int n, double h2);
    // A block of all particles, in the order of their addresses.  It advances none of them.
    Block whole(double h2);

private:
    double next_time();
    Block make_block(const int *first, int n, double ti, double h2) const;

    std::vector<g6tools::JParticle> particles_;
    std::vector<int> order_;  // a random permutation of the addresses
    int cursor_ = 0;          // next place in order_
    int step_ = 0;
};

}  // namespace g6bench
