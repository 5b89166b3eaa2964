// SPDX-License-Identifier: MIT
// Makes a factor 2^-m of a median with the binary exponent m, within limits; where the median is
// near 1 already, the factor is 1.
#include "unit_factors.h"

#include "../base/status.h"

#include <algorithm>
#include <climits>

namespace g6 {
namespace {

// Lengths need no scaling between 2^-4 and 2^4, as in N-body units.  Devices sum pairs closer than
// some 3e-7 units, and particles farther than some 2^25, with more care and more slowly
// (formulas/range.h).
constexpr int kComfortableLength = 4;

// The largest softening over the typical length: typical lengths then keep 26 powers in float.
constexpr int kMostSoftening = 100;

// The factor of lengths, whose square must be a finite double, and the other factors.
constexpr int kMostLength = 500, kMost = 1000;

// The same for velocities of i-particles in double.  No double is beyond the range of velocities in
// units of 2^700 (G6_FASTEST_DOUBLE), and slow i-particles beside such fast ones keep their digits.
constexpr int kMostVelocityDouble = 700;

// 2^-median, or 1 where the median is comfortable or there is none (INT_MIN).  most: bound on the
// result's exponent.
double power_of_two(int median, int most, int comfortable)
{
    if (median == INT_MIN || std::abs(median) <= comfortable) return 1.0;
    return std::ldexp(1.0, -std::max(-most, std::min(most, median)));
}

}  // namespace

int Exponents::of_rank(size_t rank)
{
    if (all_.empty()) return INT_MIN;
    const auto place = all_.begin() + static_cast<long>(rank);
    std::nth_element(all_.begin(), place, all_.end());
    return *place;
}

// Of an even number of values: a long unit of length harms nobody, but a large unit of mass or
// velocity takes digits from small values.
double length_factor(Exponents &lengths)
{
    return power_of_two(lengths.upper_median(), kMostLength, kComfortableLength);
}

double mass_factor(Exponents &masses)
{
    return power_of_two(masses.lower_median(), kMost, kComfortable);
}

double velocity_factor(Exponents &velocities)
{
    return power_of_two(velocities.lower_median(), kMost, kComfortable);
}

double length_factor(double size)
{
    Exponents lengths;
    lengths.add(size);
    return length_factor(lengths);
}

double fit_length_to_softening(double factor, double eps, bool narrow)
{
    const int bits = eps > 0 ? std::ilogb(eps) + std::ilogb(factor) : 0;
    if (narrow && bits > kMostSoftening)
        throw Error(G6_ERR_ARGUMENT,
                    "softening sqrt(eps2) = %g is more than 1e30 times the typical length %g; "
                    "set G6_PRECISION=double, whose range holds it",
                    eps, 1 / factor);
    return bits > kComfortable ? length_factor(eps) : factor;
}

double velocity_factor(const std::vector<double> &speeds, bool narrow)
{
    Exponents velocities;
    for (double speed : speeds) velocities.add(speed);
    if (narrow) return velocity_factor(velocities);
    // In double slow ones keep their digits in a large unit, too, and so does a fast one.
    return power_of_two(velocities.upper_median(), kMostVelocityDouble, kComfortable);
}

}  // namespace g6
