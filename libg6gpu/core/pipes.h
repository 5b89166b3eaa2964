// SPDX-License-Identifier: MIT
// The i-particles of a client that sets them one by one, by Kawai & Fukushige's low-level calls
// (part 4 of g6lib.h).  Each stands at the address of a pipe of the GRAPE.
//
// Invariants
//  * A call that throws leaves the particles as they were.
//  * The client's calls have no status.  So a call that throws here makes check() throw: once for a
//    refused i-particle, and until there is another number for a refused number of i-particles.
#pragma once

#include "i_particles.h"

#include <vector>

namespace g6 {

class Pipes {
public:
    // The number of i-particles, and that of the j-particles which act on them.
    void set_nip(int nip);
    void set_njp(int njp);
    // i-particles for addresses address ... address + n-1.  Adds pipes where these are beyond the
    // last one.
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
