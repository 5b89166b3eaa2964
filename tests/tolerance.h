// SPDX-License-Identifier: MIT
// How far a result may lie from the long-double sum.  The only place with such numbers.
//
// double: u = 2^-53.  A pair term has some ten roundings, a sum of N terms in N/64 short runs adds
// a few u of the sum
//   of |terms|: the contract rounds that up to 1e-14 (acc, pot) and 1e-13 (jerk, where two terms
//   cancel).
// mixed: differences of position are those of double; the rest of a pair is float, u = 2^-24. Worst
// case:
//   difference rounded u -> r^2 5u -> 1/s 2.5u + 4u of the reciprocal square root -> pot 6.5u + m
//   and product 2u; 1/s^3 3*6.5u + 2u -> acc + m, r and products 3u = 25u;  jerk twice that.  A
//   float partial sum of up to 64 terms adds at random sqrt(64)/2 u = 4u.  Rounded up: pot 16u, acc
//   32u, jerk 64u of the sum of |terms|. Velocities are float before their difference is taken: 2u
//   of |v_i| + |v_j|.
// both: the predictor is double, five terms, so 8 * 2^-53 of the sizes of its terms.
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

// Largest relative error of a float distance sqrt(r2 + eps2): four roundings.
constexpr double kFloatDistance = 4.0 / (1 << 24);

// Allowed distance of each result of one i-particle from the expected value.
struct Allowed {
    Real acc, jerk, pot;
    Allowed(const Expected &e, const Tolerance &t)
        : acc(t.acc * e.acc_size + t.x * e.acc_by_x),
          jerk(t.jerk * e.jerk_size + t.x * e.jerk_by_x + t.v * e.jerk_by_v),
          pot(t.pot * e.pot_size + t.x * e.pot_by_x)
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
