// SPDX-License-Identifier: MIT
// A number that stands for a tree's past: the walks since clear() with their j-particles, and their
// work.  The last digits of a real tree's sums depend on the same.
#pragma once

#include "plain_sums.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace g6test {

class WalkMemory {
public:
    void note(double value)
    {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        number_ = (number_ ^ bits) * 6364136223846793005u + 1442695040888963407u;
    }
    // A walk at the same time over the same particles leaves the tree as it is.
    void note_walk(double t, const std::vector<Slot> &slots)
    {
        WalkMemory at;
        at.note(t);
        for (const Slot &slot : slots)
            for (int k = 0; k < 3 && slot.written; ++k) at.note(slot.x[k]);
        if (at.number_ != walked_at_) note(double(at.number_ % 1000003));
        walked_at_ = at.number_;
    }
    // The factor of a potential that shows it.
    double factor() const { return 1 + double(number_ % 1024) / (1 << 30); }

private:
    std::uint64_t number_ = 0, walked_at_ = 0;
};

}  // namespace g6test
