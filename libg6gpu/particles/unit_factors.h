// SPDX-License-Identifier: MIT
// Factors from the caller's units to those of devices.  A factor is a power of two, which rounds
// nothing, and brings a median near 1.
#pragma once

#include <cmath>
#include <vector>

namespace g6 {

// All limits are binary exponents; a float holds 2^-126 ... 2^127.

// Masses and velocities need no scaling when their median is between 2^-24 and 2^24.
constexpr int kComfortable = 24;

// The largest mass or velocity in device units: its product with r^-3 of a close pair is a float.
constexpr int kMostBits = 60;

// Whether the largest mass or velocity leaves the range of float.
inline bool beyond_float(double largest, double factor)
{
    return largest > 0 && std::ilogb(largest) + std::ilogb(factor) > kMostBits;
}

// Whether products with so small a mass or velocity may vanish.  HUGE_VAL: there is none.
inline bool below_float(double least, double factor)
{
    return least < HUGE_VAL && std::ilogb(least) + std::ilogb(factor) < -kMostBits;
}

// The factor, or a smaller one where the largest value would leave the range of float.
inline double factor_within_float(double largest, double factor)
{
    return beyond_float(largest, factor) ? std::ldexp(1.0, kMostBits - std::ilogb(largest))
                                         : factor;
}

// The binary exponents of some values, of which those that are 0 have none.
class Exponents {
public:
    void add(double value)
    {
        if (value > 0) all_.push_back(std::ilogb(value));
    }
    bool empty() const { return all_.empty(); }
    // These two differ where the number of values is even.  INT_MIN: there is no value.
    int lower_median() { return of_rank(all_.empty() ? 0 : (all_.size() - 1) / 2); }
    int upper_median() { return of_rank(all_.size() / 2); }

private:
    int of_rank(size_t rank);

    std::vector<int> all_;
};

// Factors of values with these exponents: 1 where there are none, or where their median needs no
// scaling.
double length_factor(Exponents &lengths);
double mass_factor(Exponents &masses);
double velocity_factor(Exponents &velocities);

double length_factor(double size);
// The length factor for a block with the softening eps: that of eps alone where eps is so large
// that other lengths hardly matter.  narrow: devices compute in float; an eps that is out of
// its range then throws Error(G6_ERR_ARGUMENT).
double fit_length_to_softening(double factor, double eps, bool narrow);
// The factor of velocities for a block in which only i-particles move, with these speeds.
double velocity_factor(const std::vector<double> &speeds, bool narrow);

}  // namespace g6
