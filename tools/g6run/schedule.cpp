// SPDX-License-Identifier: MIT
// Keeps one list of particles for each level.  A block joins the lists of all levels whose step
// divides its time, which is counted in whole ticks.
#include "schedule.h"

#include "../common/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace g6run {
namespace {

// The number of particles of a block that a thread merges or inserts at once, and the fewest that
// several threads insert: with fewer one thread is as fast.
constexpr std::size_t kPart = 1 << 11, kFewestInserted = 1 << 14;

// As std::ilogb(), of a positive number, but inline.  Too large for numbers below 1e-307, which are
// shorter than any step.
int exponent_of(double value)
{
    std::int64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return static_cast<int>(bits >> 52) - 1023;
}

}  // namespace

double power_of_two_below(double value)
{
    return std::ldexp(1.0, std::ilogb(value));
}

// Two roundings change a quotient of up to 2^51 by less than 1/2.
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
    for (int level = 0; level < levels(); level++) steps_.push_back(std::ldexp(dt_max, -level));
    tick_ = steps_.back();
    const double count = multiples_in(time, tick_);
    now_ = static_cast<std::int64_t>(count) - (count * tick_ > time);
}

int Schedule::level_of(double dt) const
{
    if (!(dt < dt_max_)) return 0;
    if (dt <= 0) return levels() - 1;
    const int last = levels() - 1, level = std::min(exponent_of(dt_max_) - exponent_of(dt), last);
    return std::min(level + (step(level) > dt), last);
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

// Multiples of a longer step are multiples of shorter ones: the finest level is always due next.
double Schedule::next_time() const
{
    const int level = deepest();
    if (level < 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(next_tick(level)) * tick_;
}

// Merges ascending lists into block_ by several threads.  A part of the block has the particles
// between two numbers, which are taken from the longest list at equal distances.
void Schedule::merge(const std::vector<const Numbers<int> *> &due)
{
    std::size_t total = 0;
    const Numbers<int> *longest = due.front();
    for (const Numbers<int> *list : due) {
        total += list->size();
        if (list->size() > longest->size()) longest = list;
    }
    block_.resize(total);
    const std::size_t parts = total / kPart + 1;
    const auto start_of = [&](const Numbers<int> &list, std::size_t part) {
        if (part == 0 || part == parts)
            return static_cast<std::ptrdiff_t>(part == 0 ? 0 : list.size());
        const int number = (*longest)[longest->size() * part / parts];
        return std::lower_bound(list.begin(), list.end(), number) - list.begin();
    };
    g6tools::parallel_for(parts, 1, [&](std::size_t part) {
        std::ptrdiff_t first = 0;
        for (const Numbers<int> *list : due) first += start_of(*list, part);
        auto end = block_.begin() + first;
        for (const Numbers<int> *list : due) {
            const auto middle = end;
            end = std::copy(list->begin() + start_of(*list, part),
                            list->begin() + start_of(*list, part + 1), middle);
            std::inplace_merge(block_.begin() + first, middle, end);
        }
    });
}

const Numbers<int> &Schedule::take_block()
{
    if (deepest() < 0) {
        block_.clear();
        return block_;
    }
    took_shortest_ = deepest() == levels() - 1;
    now_ = next_tick(deepest());
    time_ = static_cast<double>(now_) * tick_;
    // The finest level comes first: it is mostly the smallest, and merges then move few particles.
    std::vector<const Numbers<int> *> due;
    int level = deepest();
    for (; level >= 0 && is_multiple(level); level--) due.push_back(&levels_[level]);
    merge(due);
    while (++level < levels()) levels_[level].clear();
    return block_;
}

// First counts the particles of each level in each part: every thread then knows their places.
void Schedule::insert(const Numbers<int> &particles, const Numbers<int> &level)
{
    const std::size_t n = particles.size(), parts = n / kPart + 1;
    if (n < kFewestInserted) {
        for (std::size_t k = 0; k < n; k++) insert(particles[k], level[k]);
        return;
    }
    const auto part_begin = [&](std::size_t part) { return n * part / parts; };
    std::vector<std::vector<std::size_t>> place(parts);
    g6tools::parallel_for(parts, 1, [&](std::size_t part) {
        place[part].resize(levels_.size());
        for (std::size_t k = part_begin(part); k < part_begin(part + 1); k++)
            place[part][level[k]]++;
    });
    for (std::size_t l = 0; l < levels_.size(); l++) {
        std::size_t end = levels_[l].size();
        for (auto &counts : place) end += std::exchange(counts[l], end);
        levels_[l].resize(end);
    }
    g6tools::parallel_for(parts, 1, [&](std::size_t part) {
        for (std::size_t k = part_begin(part); k < part_begin(part + 1); k++)
            levels_[level[k]][place[part][level[k]]++] = particles[k];
    });
}

}  // namespace g6run
