// SPDX-License-Identifier: MIT
// Compares the results of a block with long-double sums over the same j-particles.
#pragma once

#include "measure.h"

namespace g6bench {

class Checker {
public:
    Checker(const Column &column, double eps2) : column_(column), eps2_(eps2) {}

    int samples() const { return static_cast<int>(acc_.size()); }
    // Takes at most `most` particles of the block, evenly spread.  work must be in the state that
    // it had for the block.
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
