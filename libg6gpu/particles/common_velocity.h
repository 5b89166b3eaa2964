// SPDX-License-Identifier: MIT
// The velocity that the particles of a system have in common.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace g6 {

// Counts the signs of velocities' components: a quick way to see that there is no common velocity.
// Where there is one, its largest component has the sign of nearly all particles' components.
class Directions {
public:
    void add(const double v[3])
    {
        count_++;
        for (int c = 0; c < 3; c++) {
            forward_[c] += v[c] > 0;
            backward_[c] += v[c] < 0;
        }
    }
    bool may_be_common() const
    {
        const int most = std::max(*std::max_element(forward_, forward_ + 3),
                                  *std::max_element(backward_, backward_ + 3));
        return most > 0 && 16 * (count_ - most) <= count_;
    }

private:
    int count_ = 0, forward_[3] = {0, 0, 0}, backward_[3] = {0, 0, 0};
};

// Finds the common velocity of particles that have these velocities, which are finite.  It is the
// median of each component, rounded to multiples of the power of two below the typical difference
// from it, so that it seldom changes while the system moves.
//
// Returns false, and leaves `common` alone, if more than a sixteenth of the particles differ from
// it, in some component, by a quarter of its largest component or more.  So velocities of random
// directions have none.
bool find_common_velocity(const std::vector<std::array<double, 3>> &velocities, double common[3]);

// The largest component of v - from.
double largest_difference(const double v[3], const double from[3]);

}  // namespace g6
