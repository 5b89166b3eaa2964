// SPDX-License-Identifier: MIT
// Decides when the structure of a tree is built anew.  As bodies move, cells grow and walks cost
// more.  Let the cost of a walk exceed that of a walk through a fresh tree in proportion to the
// tree's age.  The mean cost of a step, (build + walks) / steps, is then least when the structure
// is built anew once these excesses have added up to the cost of building.  Miki & Umemura (2017,
// New Astron. 52, 65) do so with measured times.
//
// Costs are counted in pair interactions, not timed, so that a run repeats bit for bit.  The cost
// of a walk for one i-particle depends on the number of i-particles, so the cost in a fresh tree is
// remembered for each power of two of that number.
#pragma once

#include <cmath>

namespace g6 {

class RebuildPolicy {
public:
    // Pair interactions that take as long as one test of a cell, and as building the tree takes for
    // one body; on one core (g6bench --tree).
    static constexpr double kPerTest = 6, kPerBodyBuilt = 200;

    // Whether to build anew.  steps: number of steps that one structure serves, including the step
    // that it was built for; 0: decide by cost.
    bool due(int steps, double bodies) const
    {
        if (steps > 0) return age_ + 1 >= steps;
        return excess_ > kPerBodyBuilt * bodies;
    }
    void built()
    {
        age_ = 0;
        excess_ = 0;
    }
    void refreshed() { age_++; }

    void walked(double interactions, double tests, int ni)
    {
        if (ni <= 0) return;
        const double cost = interactions + kPerTest * tests, each = cost / ni;
        double &fresh = fresh_[std::ilogb(static_cast<double>(ni))];
        if (age_ == 0 || fresh == 0)
            fresh = each;
        else if (each > fresh)
            excess_ += (each - fresh) * ni;
    }

private:
    int age_ = 0;
    double excess_ = 0;
    double fresh_[32] = {};
};

}  // namespace g6
