// SPDX-License-Identifier: MIT
#include "step_grid.h"

#include "schedule.h"

#include <algorithm>
#include <cmath>

namespace g6run {
namespace {

// A number with a unit becomes a time by some ten operations of 1.1e-16 each.
constexpr double kRounding = 1e-14;
// A part of the step; long times have no digits below it, and fit only where they do exactly.
constexpr double kBesideAStep = 1e-6;
// Times that ask for a shorter longest step than this, or than this part of them, ask for another
// kind of step: 0.1, say, is no multiple of any power of two.
constexpr double kShortestDtMax = 0x1p-20;
constexpr double kShortestPart = 0x1p-10;
constexpr int kMostParts = 100;

}  // namespace

bool fits(double time, double step)
{
    const double off = std::fabs(std::remainder(time, step));
    return off <= std::min(kRounding * std::fabs(time), kBesideAStep * step);
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

double part_below(double step, double limit)
{
    if (step <= limit) return step;
    const int halvings = std::ilogb(step) - std::ilogb(limit);
    const double part = std::ldexp(step, -halvings);
    return part > limit ? part / 2 : part;
}

double on_grid(double time, double step)
{
    return multiples_in(time, step) * step;
}

}  // namespace g6run
