// SPDX-License-Identifier: MIT
// The particles that g6bench sends, and the blocks in which they take their steps.
//
// A Plummer sphere with every term of the predictor in use: a, its derivatives from the smooth
// potential of the sphere, and own times that lie powers of two behind.  A block is a set of
// particles scattered over memory, as in a code with individual steps.  The time of the blocks runs
// to and fro in a small range, so that any number of steps leaves the sphere as it is.
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
    // The same as arrays, for g6_set_j_particles().
    std::vector<double> t, mass;
    std::vector<Vec3> k18, j6, a2, jv, jx;
    // The i-particles: those of j, predicted to ti.
    std::vector<int> index;
    std::vector<Vec3> x, v, aold, j6old;
    std::vector<double> phiold, h2;

    int size() const { return static_cast<int>(address.size()); }
};

class Work {
public:
    // snap: a2by18 is not zero.  unordered: indices are shuffled, and not address + 1.
    Work(int nj, std::uint64_t seed, bool snap, bool unordered = false);

    int nj() const { return static_cast<int>(particles_.size()); }
    // The j-memory as it is after the blocks made so far were sent.
    const std::vector<g6tools::JParticle> &particles() const { return particles_; }
    // The next block of n particles; it takes effect in particles().
    Block next_block(int n, double h2);
    // All particles in the order of memory, nothing of them moved on.
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
