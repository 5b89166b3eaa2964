// SPDX-License-Identifier: MIT
// The i-particles of a client that sets them one by one: K&F's low-level calls (part 4 of g6lib.h).
// Each stands at the address of a pipe of the GRAPE.
//
// Invariant: a call that throws leaves the particles as they were.
#pragma once

#include "i_particles.h"

#include <vector>

namespace g6 {

class Pipes {
public:
    // The number of i-particles, and that of the j-particles which act on them.
    void set_nip(int nip);
    void set_njp(int njp);
    // Adds pipes when the address is beyond the last one.
    void set(int address, int index, const double x[3], const double v[3], double eps2, double h2);

    int size() const { return static_cast<int>(index_.size()); }
    // The number of i-particles for which there was no memory in the last call; else 0.
    int refused() const { return refused_; }
    // All i-particles as one block, valid until the next call.
    BlockArgs args() const;

private:
    void resize(int n);

    int nj_ = 0, refused_ = 0;
    std::vector<int> index_;
    std::vector<double> x_, v_, eps2_, h2_;  // x_, v_: three per particle
};

}  // namespace g6
