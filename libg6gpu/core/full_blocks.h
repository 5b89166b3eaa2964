// SPDX-License-Identifier: MIT
// Notices a client that would be faster on a GPU with more pipes.  Such a client divides a large
// step into blocks of g6_npipes() i-particles, so that full blocks of the same time follow each
// other.
#pragma once

namespace g6 {

class FullBlocks {
public:
    // Counts a block of ni i-particles at time t; revision: number of changes of the j-particles.
    // Returns true once: when kMany full blocks have followed a full block with the same time and
    // the same j-particles.
    bool note(int ni, int pipes, double t, unsigned long long revision)
    {
        const bool same = full_ && t == t_ && revision == revision_;
        full_ = ni == pipes;
        t_ = t;
        revision_ = revision;
        return full_ && same && ++count_ == kMany;
    }

    static constexpr int kMany = 1000;

private:
    bool full_ = false;
    double t_ = 0;
    unsigned long long revision_ = 0;
    int count_ = 0;
};

}  // namespace g6
