// SPDX-License-Identifier: MIT
// Which particles move next.  Steps are dt_max / 2^level, of a dt_max of any size.
//
// Invariants
//  * Times are counted in the shortest step, a tick, in whole numbers; as a double a time is their
//    number times the tick, rounded once.  So a time has the same bits whichever steps lead to it.
//  * A particle is due at every multiple of its step, and at no other time.  So all particles of
//    one level have the same time and the same next time, and a block takes all particles of a
//    level or none.
//  * Blocks come in ascending order of the particles' numbers, whatever the history: a run that
//    goes on from a snapshot makes the same calls as one that never stopped.
//  * Finding a block costs its own size and the number of levels, never the number of particles.
#pragma once

#include "uninitialised.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace g6run {

class Schedule {
public:
    // dt_min: dt_max times a power of 1/2.  time: that of the last block.
    Schedule(double dt_max, double dt_min, double time);

    double time() const { return time_; }
    // Time of the next block; infinite when no particle was inserted.
    double next_time() const;
    // Moves time() to next_time() and takes out the particles that are due.  The list is valid
    // until the next call.
    const Numbers<int> &take_block();
    // Whether some particle of the last block had the shortest step.
    bool took_shortest() const { return took_shortest_; }
    // Particles of one level must come in ascending order.
    void insert(int particle, int level) { levels_[level].push_back(particle); }
    // Inserts particles[k] on level[k].
    void insert(const Numbers<int> &particles, const Numbers<int> &level);

    int levels() const { return static_cast<int>(levels_.size()); }
    double step(int level) const { return steps_[static_cast<std::size_t>(level)]; }
    // Level of the largest step that does not exceed dt; the deepest when none is small enough.
    int level_of(double dt) const;
    // Level after a step on `level` that ended at time(): any number of halvings, or one doubling
    // when time() is a multiple of the doubled step.
    int next_level(int level, double wanted) const;
    // Whether dt is the step of a level, t a multiple of it, and t <= time() < t + dt.
    bool spans_time(double t, double dt) const;

private:
    std::int64_t ticks(int level) const { return std::int64_t{1} << (levels() - 1 - level); }
    bool is_multiple(int level) const { return (now_ & (ticks(level) - 1)) == 0; }
    std::int64_t next_tick(int level) const;
    int deepest() const;  // the finest level that has particles; -1: none
    void merge(const std::vector<const Numbers<int> *> &due);

    double dt_max_, tick_;
    double time_;
    std::int64_t now_;  // ticks up to time(), rounded down
    std::vector<Numbers<int>> levels_;
    std::vector<double> steps_;  // of each level
    Numbers<int> block_;
    bool took_shortest_ = false;
};

// Largest power of two <= value (value > 0).
double power_of_two_below(double value);
// The whole number, of up to 2^51, whose product with step is nearest to value.
double multiples_in(double value, double step);
// Whether value is a whole number times step, rounded once.
bool is_multiple_of(double value, double step);

}  // namespace g6run
