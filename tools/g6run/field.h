// SPDX-License-Identifier: MIT
// Accelerations and potentials of all bodies at one time, for the leapfrog.
#pragma once

#include "gravity.h"

#include <vector>

namespace g6run {

struct Field {
    virtual ~Field() = default;
    // Fills acc and pot of every body; acc holds the values of the step before.
    virtual void compute(const std::vector<Vector> &x, const std::vector<double> &mass,
                         std::vector<Vector> &acc, std::vector<double> &pot) = 0;
};

// The library sums, as its mode says.
class LibraryField : public Field {
public:
    explicit LibraryField(Gravity &gravity) : gravity_(gravity) { gravity_.build_each_tree(); }
    void compute(const std::vector<Vector> &x, const std::vector<double> &mass,
                 std::vector<Vector> &acc, std::vector<double> &pot) override;

private:
    Gravity &gravity_;
    Block block_;  // of all bodies, in the order of their numbers
};

}  // namespace g6run
