// SPDX-License-Identifier: MIT
// When to rebuild the tree's structure: as its bodies move, its cells grow and walks cost more.
// The mean cost of a step, (build + walks) / steps, is least when the excess over walks of a fresh
// tree has added up to the cost of building, if the excess grows in proportion to age (Miki &
// Umemura 2017, New Astron. 52, 65, have this idea with measured times).
//
// Costs are counted in pair interactions, not timed, so that a run repeats bit for bit.  A walk's
// cost for one i-particle depends on how many there are: fresh trees are remembered by powers of
// two of that number.
#pragma once

#include <cmath>

namespace g6 {

class RebuildPolicy {
public:
    // Pair interactions that take as long as one of these on one core (g6bench --tree).
    static constexpr double kPerTest = 6, kPerBodyBuilt = 200;

    // steps: the structure serves that many, the one that it was built for included; 0: by cost.
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
