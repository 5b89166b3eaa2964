// SPDX-License-Identifier: MIT
// What a block must answer, whatever softenings its j-particles have: sums over the j-particles of
// each softening by themselves (docs/modes.md), with what the contract lets each of them be off by.
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
