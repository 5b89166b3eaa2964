// SPDX-License-Identifier: MIT
// Leapfrog with block steps, for forces from a tree and without a jerk: the integrator of GOTHIC
// (Miki & Umemura 2017, New Astron. 52, 65).  With h the step of a body that is due, a_0 its
// acceleration at the start and a_1 that at the end:
//     x_1 = x_0 + h v_0 + h^2 a_0 / 2
//     v_1 = v_0 + h (a_0 + a_1) / 2
//     h   = eta sqrt(eps / |a|) or less, so that the steps are dt_max times powers of 1/2
// All other bodies attract it from the positions that the first formula predicts for them.
//
// Bodies with equal steps move time-reversibly, as in leapfrog.h.  Where steps differ or change,
// the motion is not reversible.
#pragma once

#include "block_scheme.h"

namespace g6run {

class BlockLeapfrog : public BlockScheme {
public:
    // Computes forces and first steps at `time` for bodies that have mass, x, v only; with `resume`
    // bodies keep their accelerations and steps.  eps: the softening length of each body; empty:
    // settings.eps serves all.  The lengths must be positive.
    BlockLeapfrog(Gravity &gravity, std::vector<Body> bodies, const Settings &settings, double time,
                  bool resume, std::vector<double> eps = {});

private:
    double step_of(int body) const;
    double correct(std::size_t k, Body &body, double time) override;

    const std::vector<double> eps_;
};

// eta sqrt(eps / |a|); infinite without a force.
double leap_step(const double a[3], double eps, double eta);

}  // namespace g6run
