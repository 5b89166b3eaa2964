// SPDX-License-Identifier: MIT
// Compares results of a block with the long-double sums over the same memory.
#pragma once

#include "measure.h"

namespace g6bench {

class Checker {
public:
    Checker(const Column &column, double eps2) : column_(column), eps2_(eps2) {}

    int samples() const { return static_cast<int>(acc_.size()); }
    // Checks at most `most` particles of the block, evenly spread.  work: its state when the block
    // was computed.
    void add(const Work &work, const Block &block, const Results &results, int most);
    Errors errors();

private:
    void compare(const Work &work, const g6tools::ReferenceSums &expected, int own_index,
                 const Results &results, std::size_t k);

    const Column &column_;
    double eps2_;
    std::vector<double> acc_, jerk_, pot_;
    int wrong_nearest_ = 0, wrong_lists_ = 0;
};

}  // namespace g6bench
