// SPDX-License-Identifier: MIT
// The formulas of the fourth-order Hermite scheme (Makino & Aarseth 1992, PASJ 44, 141), one
// particle at a time.  No state, no library call.
#pragma once

#include "body.h"

namespace g6run {

// x and v at time t, by the polynomial that the library applies to the j-particles:
//   x + v s + a s^2/2 + j s^3/6, and its derivative.
void predict(const Body &body, double t, double x[3], double v[3]);

// Parameters of the choice of the next step after a finished one.
struct Criterion {
    double eta = 0.01;
    double noise = 0;  // bound on the relative error of the terms of an acceleration
    // The force is from a tree.  It jumps as cells open and close, so that higher differences mean
    // nothing, and the step is sqrt(eta) times the shorter of |a|/|j| and fall_time().
    bool tree = false;
    double mass = 0;  // of all bodies
};

// A lower bound of sum m/r^2, which does not vanish where the terms of a body's acceleration
// cancel: by Cauchy's inequality (sum m/r)^2 <= M sum m/r^2, where M is the mass of all bodies.
double field_strength(double pot, double mass);

// M / |pot|^(3/2): a fall from rest to the masses that attract the body takes about as long.
// Infinite without a force.
double fall_time(double pot, double mass);

// Ends the step at time t: acc, jerk and pot are those at the predicted position.  Sets x, v, a, j
// and t; returns the step that the criterion wants next: Aarseth's, or that of a tree (Criterion).
double correct(Body &body, double t, const double acc[3], const double jerk[3], double pot,
               const Criterion &criterion);

// Whether the step from the body's time to t is too long for its polynomials: the corrector adds
// more to the velocity than a sixth of what acceleration and jerk add.  On a circular orbit a step
// of one radian reaches this limit.  Steps of Aarseth's criterion with eta = 0.01 are a tenth as
// long there, and the corrector adds some thousandths.  acc, jerk and pot are those at the
// predicted position at t.
bool is_too_long(const Body &body, double t, const double acc[3], const double jerk[3], double pot,
                 double mass);

// First step: eta_start times the shorter of |a|/|j| and sqrt(|a|/|a2|).  The jerk alone is not
// enough: it vanishes by chance, and in a system that starts at rest.  Where the terms of the
// acceleration cancel, as for a body at a centre of symmetry, a 16th of field_strength() takes the
// place of |a|, here and in steps with a tree.
// Infinite where both times exceed 16 times fall_time(): the derivatives then vanish, by symmetry
// or because there is no force, and give no step.
double starting_step(const Body &body, const double snap[3], double pot, double mass,
                     double eta_start);

}  // namespace g6run
