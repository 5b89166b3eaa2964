// SPDX-License-Identifier: MIT
// Block-time-step fourth-order Hermite integrator, P(EC)^1, over the calls of the library.
//
// Invariants between two calls of step()
//  * body.t <= time() < body.t + body.dt for every body, dt = dt_max / 2^level and t a multiple of
//    dt.
//  * The library's j-particle k holds what bodies()[k] holds.
//  * When time() is a multiple of dt_max all bodies are at time().
//  * With shared steps all bodies have one t and one dt, by the same rules: the shortest step that
//    any of them wants, so that the worst-followed orbit is as good as in block steps.
#pragma once

#include "body.h"
#include "error.h"
#include "gravity.h"
#include "hermite.h"
#include "schedule.h"
#include "scheme.h"

#include <vector>

namespace g6run {

class Integrator : public Scheme {
public:
    // Forces and first steps at `time` for bodies that have mass, x, v only; sends all of them.
    // With `resume` their derivatives and steps are taken as they are; for shared steps all must be
    // at `time`.
    Integrator(Gravity &gravity, std::vector<Body> bodies, const Settings &settings, double time,
               bool resume);

    // One block step; returns its size.
    int step() override;

    double time() const override { return time_; }
    double next_time() const { return schedule_.next_time(); }
    const std::vector<Body> &bodies() const override { return bodies_; }
    const std::vector<double> &potentials() override;
    double clamped() const override { return clamped_; }

private:
    void start(double time);
    void want_first_steps(double time);
    // Whether body b, number n of the block_, is too far from its predicted motion at `time`.
    bool leaves_polynomial(const Body &b, double time, std::size_t n) const;
    bool is_first_step(const Body &b) const;
    void check_steps(const std::vector<int> &index, double time);
    Error wrong_step(int particle) const;
    void resume();
    void join();
    void share_wanted();
    void compute_all(double time);
    void fill_block(const std::vector<int> &index, double time);
    void correct_block(const std::vector<int> &index, double time);
    void choose_steps(const std::vector<int> &index);

    Gravity &gravity_;
    std::vector<Body> bodies_;
    Settings settings_;
    Criterion criterion_;
    const double begin_;
    double time_;
    int first_steps_ = 0;  // that are to be taken from begin_ on
    Schedule schedule_;
    Block block_;
    std::vector<int> all_;        // 0 ... N-1
    std::vector<double> wanted_;  // next step of each particle of the block, by the criterion
    std::vector<int> level_;      // of the schedule, likewise
    double clamped_ = 0;
};

}  // namespace g6run
