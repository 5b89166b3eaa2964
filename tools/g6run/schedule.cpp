// SPDX-License-Identifier: MIT
// Keeps one list of particles for each level.  A block joins the lists of all levels whose step
// divides its time, which is counted in whole ticks.
#include "schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6run {

double power_of_two_below(double value)
{
    return std::ldexp(1.0, std::ilogb(value));
}

// Two roundings move a quotient of up to 2^51 by less than a half.
double multiples_in(double value, double step)
{
    return std::nearbyint(value / step);
}

bool is_multiple_of(double value, double step)
{
    return multiples_in(value, step) * step == value;
}

Schedule::Schedule(double dt_max, double dt_min, double time)
    : dt_max_(dt_max), time_(time), levels_(std::ilogb(dt_max) - std::ilogb(dt_min) + 1)
{
    tick_ = step(levels() - 1);
    const double count = multiples_in(time, tick_);
    now_ = static_cast<std::int64_t>(count) - (count * tick_ > time);
}

double Schedule::step(int level) const
{
    return std::ldexp(dt_max_, -level);
}

int Schedule::level_of(double dt) const
{
    if (!(dt < dt_max_)) return 0;
    if (dt <= 0) return levels() - 1;
    const int level = std::ilogb(dt_max_) - std::ilogb(dt);
    return std::min(level + (step(level) > dt), levels() - 1);
}

int Schedule::next_level(int level, double wanted) const
{
    const int goal = level_of(wanted);
    if (goal >= level) return goal;
    return is_multiple(level - 1) ? level - 1 : level;
}

bool Schedule::spans_time(double t, double dt) const
{
    const int level = level_of(dt);
    if (step(level) != dt || !is_multiple_of(t, dt)) return false;
    const auto first = static_cast<std::int64_t>(multiples_in(t, tick_));
    return first <= now_ && now_ < first + ticks(level);
}

// The first multiple after now_, also where times are negative.
std::int64_t Schedule::next_tick(int level) const
{
    const std::int64_t size = ticks(level), past = now_ % size;
    return now_ - past + (past < 0 ? 0 : size);
}

int Schedule::deepest() const
{
    int level = levels() - 1;
    while (level >= 0 && levels_[level].empty()) level--;
    return level;
}

// Multiples of a coarser step are multiples of every finer one: the finest level is always next.
double Schedule::next_time() const
{
    const int level = deepest();
    if (level < 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(next_tick(level)) * tick_;
}

const std::vector<int> &Schedule::take_block()
{
    block_.clear();
    if (deepest() < 0) return block_;
    now_ = next_tick(deepest());
    time_ = static_cast<double>(now_) * tick_;
    // The finest level comes first: it is mostly the smallest, so that merges move few particles.
    for (int level = deepest(); level >= 0 && is_multiple(level); level--) {
        std::vector<int> &due = levels_[level];
        if (due.empty()) continue;
        const auto middle = static_cast<std::ptrdiff_t>(block_.size());
        block_.insert(block_.end(), due.begin(), due.end());
        std::inplace_merge(block_.begin(), block_.begin() + middle, block_.end());
        due.clear();
    }
    return block_;
}

}  // namespace g6run
