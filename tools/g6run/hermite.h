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
    double noise = 0;  // bound on the relative error of the terms of an acceleration
    // The force of a tree jumps as cells open and close: its higher differences say nothing, and
    // the step is sqrt(eta) times the shorter of |a|/|j| and fall_time().
    bool tree = false;
    double mass = 0;  // of all bodies
};

// What the terms m/r^2 of a body's acceleration sum to at least, however far they cancel: by
// Cauchy's inequality (sum m/r)^2 <= M sum m/r^2, where M is the mass of all bodies.
double field_strength(double pot, double mass);

// M / |pot|^(3/2): a fall from rest to the masses that attract the body takes about as long.
// Infinite without a force.
double fall_time(double pot, double mass);

// Ends the step at time t: acc, jerk and pot are those at the predicted position.  Sets x, v, a, j
// and t; returns the step that the criterion, Aarseth's but for a tree, asks for next.
double correct(Body &body, double t, const double acc[3], const double jerk[3], double pot,
               const Criterion &criterion);

// Whether the step from the body's time to t is too long for its polynomials: the corrector adds
// more to the velocity than a sixth of what acceleration and jerk add.  On a circular orbit a step
// of one radian reaches this limit.  Steps of Aarseth's criterion with eta = 0.01 are a tenth as
// long there, and the corrector adds some thousandths.  acc, jerk and pot are those at the
// predicted position at t.
bool is_too_long(const Body &body, double t, const double acc[3], const double jerk[3], double pot,
                 double mass);

// First step: eta_start times the shorter of |a|/|j| and sqrt(|a|/|a2|).  The jerk alone would not
// do: it vanishes by chance, and in a system that starts at rest.  Where the terms of the
// acceleration cancel, as for a body at a centre of symmetry, a 16th of field_strength() stands for
// |a|, here and over a tree.
// Infinite where both times exceed 16 times fall_time(): the derivatives then vanish, by symmetry
// or without a force, and give no step.
double starting_step(const Body &body, const double snap[3], double pot, double mass,
                     double eta_start);

}  // namespace g6run
