// SPDX-License-Identifier: MIT
// Leapfrog with one step for all bodies (kick, drift, kick): for forces from a tree.
// Invariant: all bodies are at time(), which is a whole number times the step, rounded once.
#pragma once

#include "field.h"
#include "scheme.h"

#include <memory>

namespace g6run {

class Leapfrog : public Scheme {
public:
    // Computes forces at `time` for bodies that have mass, x, v only.  With `resume` bodies keep
    // their accelerations: computed once more at the same positions they could differ, because an
    // opening criterion may depend on the old accelerations.
    Leapfrog(std::unique_ptr<Field> field, std::vector<Body> bodies, double dt, double time,
             bool resume);

    int step() override;
    double time() const override { return time_; }
    const std::vector<Body> &bodies() const override { return bodies_; }
    // With `resume` only after the first step.
    const std::vector<double> &potentials() override { return pot_; }

private:
    void drift();

    std::unique_ptr<Field> field_;
    std::vector<Body> bodies_;
    const double dt_;
    double time_, count_;  // count_: steps from time 0 to time_
    std::vector<double> mass_, pot_;
    std::vector<Vector> x_, acc_;
};

}  // namespace g6run
