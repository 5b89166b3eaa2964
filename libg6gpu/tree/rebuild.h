// SPDX-License-Identifier: MIT
// Decides when the structure of a tree is built anew.  As bodies move, cells grow and walks cost
// more.  The excess of a walk is its cost less the cost of a walk through a fresh tree.  If the
// excess grows in proportion to the tree's age, then the mean cost of a step, (build + walks) /
// steps, is least when the structure is built anew once the excesses have added up to the cost of
// building.  Miki & Umemura (2017, New Astron. 52, 65) do so with measured times.  The expected
// excess of the next walk counts too, since it may be larger than the cost of building.
//
// Costs are counted in pair interactions, not timed, so that a run repeats bit for bit.  The cost
// of a walk for one i-particle depends on the number of i-particles, so the cost in a fresh tree is
// remembered for each power of two of this number.  If no walk of such a number went through a
// fresh tree, the cost of the first walk of such a number takes its place.
#pragma once

#include <algorithm>
#include <cmath>

namespace g6 {

class RebuildPolicy {
public:
    // Costs in pair interactions: of the test of a cell, and of a build for each body.
    // Measured on one core (g6bench --tree); the trees of GPUs use them, too.
    static constexpr double kPerTest = 6, kPerBodyBuilt = 200;

    // Whether to build anew, whatever the next walk.  steps: number of steps that one structure
    // serves, including the step that it was built for; 0: decide by cost.
    bool due(int steps, double bodies) const
    {
        if (steps > 0) return age_ + 1 >= steps;
        return excess_ > kPerBodyBuilt * bodies;
    }
    // Whether to build rather than to refresh for a walk of ni i-particles.  Each such build lowers
    // the expected excess, until a refresh takes the place of a build and the excess is measured.
    bool due_for(int steps, double bodies, int ni)
    {
        if (steps > 0 || ni <= 0) return false;
        double &growth = size_of(ni).growth;
        if (excess_ + growth * (age_ + 1) * ni <= kPerBodyBuilt * bodies) return false;
        growth *= kFading;
        return true;
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
        Size &size = size_of(ni);
        if (age_ == 0 || size.fresh == 0) size.fresh = each;
        if (age_ == 0) return;
        const double excess = std::max(0.0, each - size.fresh);
        size.growth = excess / age_;
        excess_ += excess * ni;
    }

private:
    static constexpr double kFading = 0.9;

    // Walks of similar numbers of i-particles.
    struct Size {
        double fresh = 0;   // cost for each i-particle in a fresh tree
        double growth = 0;  // added to this cost by each refresh
    };
    Size &size_of(int ni) { return sizes_[std::ilogb(static_cast<double>(ni))]; }

    int age_ = 0;
    double excess_ = 0;
    Size sizes_[32];
};

}  // namespace g6
