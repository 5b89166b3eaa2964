// SPDX-License-Identifier: MIT
#include "schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6run {

bool is_power_of_two(double value)
{
    int exponent;
    return value > 0 && std::isfinite(value) && std::frexp(value, &exponent) == 0.5;
}

double power_of_two_below(double value)
{
    return std::ldexp(1.0, std::ilogb(value));
}

// A quotient by a power of two is exact.
bool is_multiple_of(double value, double step)
{
    return std::floor(value / step) == value / step;
}

Schedule::Schedule(double dt_max, double dt_min, double time)
    : dt_max_(dt_max), time_(time), levels_(std::ilogb(dt_max) - std::ilogb(dt_min) + 1)
{
}

double Schedule::step(int level) const
{
    return std::ldexp(dt_max_, -level);
}

int Schedule::level_of(double dt) const
{
    if (!(dt < dt_max_)) return 0;
    if (dt <= 0) return levels() - 1;
    return std::min(std::ilogb(dt_max_) - std::ilogb(dt), levels() - 1);
}

int Schedule::next_level(int level, double wanted) const
{
    const int goal = level_of(wanted);
    if (goal >= level) return goal;
    return is_multiple(level - 1) ? level - 1 : level;
}

bool Schedule::is_multiple(int level) const
{
    return is_multiple_of(time_, step(level));
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
    const double dt = step(level);
    return (std::floor(time_ / dt) + 1) * dt;
}

const std::vector<int> &Schedule::take_block()
{
    time_ = next_time();
    block_.clear();
    // Finest, and as a rule smallest, first: a merge then touches what it must.
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
