// SPDX-License-Identifier: MIT
// Notices a client that sends its i-particles in blocks as large as the hardware's pipes, one after
// the other at the same time: on a GPU more pipes make it faster.
#pragma once

namespace g6 {

class FullBlocks {
public:
    // A block of ni i-particles at time t; revision: that of the j-particles.  True once: when
    // kMany full blocks have followed another of the same moment.
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
