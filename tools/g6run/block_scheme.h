// SPDX-License-Identifier: MIT
// Block time steps (McMillan 1986) by calls of the library, for the Hermite scheme and the
// leapfrog.  A block step predicts the bodies that are due, computes the forces on them from all
// bodies predicted to its time, and calls the scheme, which corrects each body and says what step
// the body wants next.
//
// Invariants between two calls of step()
//  * body.t <= time() < body.t + body.dt for every body, dt = dt_max / 2^level and t a multiple of
//    dt.
//  * The library's j-particle k holds what bodies()[k] holds.
//  * When time() is a multiple of dt_max all bodies are at time().
//  * With shared steps all bodies have one t and one dt, by the same rules: dt is the shortest step
//    that any body wants, so that the most difficult orbit is as good as in block steps.
#pragma once

#include "body.h"
#include "gravity.h"
#include "schedule.h"
#include "scheme.h"

#include <vector>

namespace g6run {

class BlockScheme : public Scheme {
public:
    // One block step; returns its size.
    int step() override;

    double time() const override { return time_; }
    double next_time() const { return schedule_.next_time(); }
    const std::vector<Body> &bodies() const override { return bodies_; }
    const std::vector<double> &potentials() override;
    double clamped() const override { return clamped_; }

protected:
    BlockScheme(Gravity &gravity, std::vector<Body> bodies, const Settings &settings, double time);

    // Throws when the forces in block_ show that the steps that end at `time` were too long.
    virtual void check_block(const Numbers<int> &, double) {}
    // Ends the step of body number k of the block at `time` with the forces in block_, and returns
    // the step that the criterion wants next.
    virtual double correct(std::size_t k, Body &body, double time) = 0;

    // Sets the time of all bodies to `time`, sends them, and computes their accelerations, which
    // block_ keeps, too.
    void first_forces(double time);
    // Gives every body the step of wanted_.
    void first_steps();
    // Keeps the bodies' derivatives, and their steps where the settings allow them; for shared
    // steps all bodies must be at time().
    void resume();
    // Forces on all bodies, predicted to `time`, into block_.
    void compute_all(double time);
    // Whether one of the block's bodies had the shortest step.
    bool has_shortest_step() const { return schedule_.took_shortest(); }
    void fill_block(const Numbers<int> &index, double time);

    Gravity &gravity_;
    const bool needs_old_accelerations_;
    std::vector<Body> bodies_;
    const Settings settings_;
    Block block_;
    Numbers<int> all_;        // 0 ... N-1
    Numbers<double> wanted_;  // next step of each particle of the block, by the criterion

private:
    void request(const Numbers<int> &index, std::size_t k) const;
    void join();
    void share_wanted();
    void choose_step(std::size_t k, Body &body);
    void correct_and_send(const Numbers<int> &index, double time);

    double time_;
    Schedule schedule_;
    Numbers<int> level_;  // next level of each particle of the block
    double clamped_ = 0;  // number of steps that the criterion wanted below dt_min
};

}  // namespace g6run
