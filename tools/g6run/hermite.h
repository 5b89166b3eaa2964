// SPDX-License-Identifier: MIT
// The formulas of the fourth-order Hermite scheme (Makino & Aarseth 1992, PASJ 44, 141), one
// particle at a time.  No state, no library call.
#pragma once

#include "body.h"

namespace g6run {

// x and v at time t, by the polynomial that the library applies to the j-particles:
//   x + v s + a s^2/2 + j s^3/6, and its derivative.
void predict(const Body &body, double t, double x[3], double v[3]);

// How the next step follows from a finished one.
struct Criterion {
    double eta = 0.01;
    double noise = 0;  // bound on the relative error of an acceleration
    // The force of a tree jumps as cells open and close: its higher differences say nothing, and
    // the step is sqrt(eta) |a|/|j|.
    bool tree = false;
};

// Ends the step at time t: acc and jerk are those at the predicted position.  Sets x, v, a, j and
// t; returns the step that the criterion, Aarseth's but for a tree, asks for next.
double correct(Body &body, double t, const double acc[3], const double jerk[3],
               const Criterion &criterion);

// First step: eta_start times the shorter of |a|/|j| and sqrt(|a|/|a2|).  The jerk alone would not
// do: it vanishes by chance, and in a system that starts at rest.
// Infinite for a particle that feels no changing force.
double starting_step(const Body &body, const double snap[3], double eta_start);

}  // namespace g6run
