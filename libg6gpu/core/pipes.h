// SPDX-License-Identifier: MIT
// The i-particles of a client that sets them one by one, by Kawai & Fukushige's low-level calls
// (part 4 of g6lib.h).  The address of an i-particle is the number of a pipe of the GRAPE.
//
// Invariants
//  * A call that throws leaves the particles as they were.
//  * The client's calls have no status.  So check() throws after a call that has thrown: once after
//    a refused i-particle, and after a refused number of i-particles until another number is set.
#pragma once

#include "i_particles.h"

#include <vector>

namespace g6 {

class Pipes {
public:
    // The number of i-particles, and the number of j-particles that act on them.
    void set_nip(int nip);
    void set_njp(int njp);
    // Sets the i-particles of addresses address ... address + n-1, and adds pipes up to the last
    // of these.
    void set(int address, int n, const int *index, const double (*x)[3], const double (*v)[3],
             const double *eps2, const double *h2);
    // Throws an Error when the block of these i-particles is not what the client has asked for.
    void check();

    int size() const { return static_cast<int>(index_.size()); }
    // The number of i-particles for which there was no memory in the last call, or a negative
    // number that was refused; else 0.
    int refused() const { return refused_; }
    // All i-particles as one block, valid until the next call.
    BlockArgs args() const;

private:
    void resize(int n);

    int nj_ = 0, refused_ = 0;
    bool lacks_particle_ = false;
    std::vector<int> index_;
    std::vector<double> x_, v_, eps2_, h2_;  // x_, v_: three per particle
};

}  // namespace g6
