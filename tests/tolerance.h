// SPDX-License-Identifier: MIT
// How far a result of direct sums may lie from the long-double sum.
//
// precision double, u = 2^-53.  A term of a sum has some ten roundings, and a sum of N terms, made
// in N/64 short runs, adds a few u of the sum of |terms|.  The contract rounds this up:
//     acc, pot   1e-14 of the sum of |terms|
//     jerk       1e-13 of it, because two parts of a term cancel
//
// precision mixed, u = 2^-24.  Differences of positions are those of double; the rest of a pair is
// float.  Errors in u, at worst:
//     difference of positions, rounded to float     1
//     r^2                                           5
//     1/s      half of r^2, and 4 of the root       6.5
//     pot      1/s, and 2 of m and the product      8.5
//     1/s^3    three times 1/s, and 2              21.5
//     acc      1/s^3, and 3 of m, r and products   24.5
//     jerk     twice acc                           49
//     float sum of up to 64 terms, at random        4 = sqrt(64) / 2
// Rounded up: pot 16 u, acc 32 u, jerk 64 u of the sum of |terms|.  Velocities are rounded to float
// before their difference is taken, which adds 2 u of |v_i| + |v_j|.
//
// both precisions.  The predictor is double and has five terms: 8 * 2^-53 of the sizes of its
// terms.
#pragma once

#include "reference.h"

#include <gtest/gtest.h>
#include <string>

namespace g6test {

struct Tolerance {
    Real acc, jerk, pot;  // of the sum of |terms|
    Real x, v;            // relative errors of positions and velocities, times the sensitivities
};

inline Tolerance tolerance(const std::string &precision)
{
    const Real u53 = std::ldexp(Real(1), -53), u24 = std::ldexp(Real(1), -24);
    if (precision == "double") return {1e-14L, 1e-13L, 1e-14L, 8 * u53, 8 * u53};
    return {32 * u24, 64 * u24, 16 * u24, 8 * u53, 2 * u24};
}

// The smallest positive double: results below it are 0.
constexpr Real kLeastResult = 4.95e-324L;

// Allowed distance of each result of one i-particle from the expected value.
struct Allowed {
    Real acc, jerk, pot;
    Allowed(const Expected &e, const Tolerance &t)
        : acc(kLeastResult + t.acc * e.acc_size + t.x * e.acc_by_x),
          jerk(kLeastResult + t.jerk * e.jerk_size + t.x * e.jerk_by_x + t.v * e.jerk_by_v),
          pot(kLeastResult + t.pot * e.pot_size + t.x * e.pot_by_x)
    {
    }
};

inline testing::AssertionResult within(const char *what, const Real expected[3], const Vec3 &got,
                                       Real allowed)
{
    for (int k = 0; k < 3; ++k) {
        if (std::fabs(expected[k] - got[k]) <= allowed) continue;  // false for NaN too
        return testing::AssertionFailure() << what << "[" << k << "] is " << got[k] << ", expected "
                                           << expected[k] << " within " << allowed;
    }
    return testing::AssertionSuccess();
}

inline testing::AssertionResult within(const char *what, Real expected, double got, Real allowed)
{
    if (std::fabs(expected - got) <= allowed) return testing::AssertionSuccess();
    return testing::AssertionFailure()
           << what << " is " << got << ", expected " << expected << " within " << allowed;
}

}  // namespace g6test
