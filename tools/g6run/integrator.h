// SPDX-License-Identifier: MIT
// Block-time-step fourth-order Hermite integrator, P(EC)^1: its first steps, its corrector, and a
// check of first and shortest steps, which its criterion does not choose.
#pragma once

#include "block_scheme.h"
#include "error.h"
#include "hermite.h"

#include <vector>

namespace g6run {

class Integrator : public BlockScheme {
public:
    // Computes forces and first steps at `time` for bodies that have mass, x, v only; sends all.
    // With `resume` bodies keep their derivatives and steps; for shared steps all must be at
    // `time`.
    Integrator(Gravity &gravity, std::vector<Body> bodies, const Settings &settings, double time,
               bool resume);

private:
    void start(double time);
    void want_first_steps(double time);
    // Whether body b, number n of the block_, is too far from its predicted motion at `time`.
    bool leaves_polynomial(const Body &b, double time, std::size_t n) const;
    bool is_first_step(const Body &b) const;
    void check_block(const Numbers<int> &index, double time) override;
    Error wrong_step(int particle) const;
    double correct(std::size_t k, Body &body, double time) override;

    Criterion criterion_;
    const double begin_;
    int first_steps_left_ = 0;  // number of bodies that have not ended their first step
};

}  // namespace g6run
