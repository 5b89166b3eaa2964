// SPDX-License-Identifier: MIT
// Which particles move next.  Steps are dt_max / 2^level.
//
// Invariants
//  * Times are whole multiples of the step: a particle on a level is due at every multiple of it.
//    So all particles of one level share their time and their next time, and a level is always
//    emptied and refilled whole, within one block.
//  * Blocks come in ascending order of the particles' numbers, whatever the history: a run that
//    goes on from a snapshot makes the same calls as one that never stopped.
//  * Finding a block costs its own size and the number of levels, never the number of particles.
#pragma once

#include <vector>

namespace g6run {

class Schedule {
public:
    // dt_min, dt_max: powers of two.  time: system time, up to which all particles have moved.
    Schedule(double dt_max, double dt_min, double time);

    double time() const { return time_; }
    // Time of the next block; infinite when no particle was inserted.
    double next_time() const;
    // Moves time() to next_time() and takes out the particles that are due.  Valid until next call.
    const std::vector<int> &take_block();
    // Particles of one level must come in ascending order.
    void insert(int particle, int level) { levels_[level].push_back(particle); }

    int levels() const { return static_cast<int>(levels_.size()); }
    double step(int level) const;
    // Level of the largest step that does not exceed dt; the deepest when none is small enough.
    int level_of(double dt) const;
    // Level after a step on `level` that ended at time(): any number of halvings, or one doubling
    // when time() is a multiple of the doubled step.
    int next_level(int level, double wanted) const;

private:
    bool is_multiple(int level) const;
    int deepest() const;  // level in use, -1: none

    double dt_max_;
    double time_;
    std::vector<std::vector<int>> levels_;
    std::vector<int> block_;
};

bool is_power_of_two(double value);
// Largest power of two <= value (value > 0).
double power_of_two_below(double value);
// Exact, for step a power of two.
bool is_multiple_of(double value, double step);

}  // namespace g6run
