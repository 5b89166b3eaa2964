// SPDX-License-Identifier: MIT
// The right results of a block whose j-particles may have softenings: the sum of the parts with one
// softening each (docs/modes.md), with the errors that the contract allows each part.
#pragma once

#include "truth.h"

#include <deque>

namespace g6fuzz {

class BlockTruth {
public:
    explicit BlockTruth(const Task &task);

    Force force(int i) const;
    Nearest nearest(int i) const;
    std::vector<Entry> list(int i) const;
    int bodies() const;
    // As Truth has it.
    bool may_be_refused() const;

private:
    // The j-particles of one softening.
    struct Share {
        explicit Share(const Task &t) : task(t), truth(task) {}
        const Task task;
        const Truth truth;
    };
    static bool has_far_nearest(const Share &share);

    std::deque<Share> shares_;
};

}  // namespace g6fuzz
