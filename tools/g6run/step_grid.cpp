// SPDX-License-Identifier: MIT
// Decides, with a tolerance for rounding, whether a time is a multiple of a step, and searches for
// steps of which all times are multiples.
#include "step_grid.h"

#include "schedule.h"

#include <algorithm>
#include <cmath>

namespace g6run {
namespace {

// Largest distance of a time from a multiple, relative to the time: a number with a unit becomes a
// time by some ten operations, each with a rounding of 1.1e-16.
constexpr double kRounding = 1e-14;
// The largest distance relative to the step, which is the lower limit for times of more than 1e8
// steps.  A time of more than 1e10 steps has no digits below this limit, so that it must fit
// exactly.
constexpr double kBesideAStep = 1e-6;
// dt_max is halved until the time fits, but no further once it is below both kShortestDtMax and
// kShortestPart of the time.  A time that does not fit by then, as 0.1, is a multiple of no power
// of two; common_step() finds a step for it.
constexpr double kShortestDtMax = 0x1p-20;
constexpr double kShortestPart = 0x1p-10;
constexpr int kMostParts = 100;

}  // namespace

bool fits(double time, double step)
{
    const double off = std::fabs(std::remainder(time, step));
    return off <= std::min(kRounding * std::fabs(time), kBesideAStep * step);
}

bool are_same(double time, double other)
{
    // Allows some ten roundings of each time, and no more: a short run may begin far from t = 0.
    return std::fabs(time - other) <= 0x1p-49 * std::max(std::fabs(time), std::fabs(other));
}

double halved_to_fit(double dt_max, const std::vector<double> &times)
{
    for (double time : times) {
        const double shortest = std::min(kShortestDtMax, kShortestPart * std::fabs(time));
        while (dt_max > shortest && !fits(time, dt_max)) dt_max /= 2;
        if (!fits(time, dt_max)) return 0;
    }
    return dt_max;
}

double common_step(const std::vector<double> &times)
{
    double shortest = 0;
    for (double time : times)
        if (time != 0 && (shortest == 0 || std::fabs(time) < shortest)) shortest = std::fabs(time);
    for (int parts = 1; shortest > 0 && parts <= kMostParts; parts++) {
        const double step = shortest / parts;
        if (std::all_of(times.begin(), times.end(), [=](double t) { return fits(t, step); }))
            return step;
    }
    return 0;
}

double step_below(double step, double limit)
{
    const double scaled = std::ldexp(step, std::ilogb(limit) - std::ilogb(step));
    return scaled > limit ? scaled / 2 : scaled;
}

double part_below(double step, double limit)
{
    return step <= limit ? step : step_below(step, limit);
}

double on_grid(double time, double step)
{
    return multiples_in(time, step) * step;
}

}  // namespace g6run
