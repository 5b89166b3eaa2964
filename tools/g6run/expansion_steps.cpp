// SPDX-License-Identifier: MIT
// Computes the scale factor at each step, and the integrals of dt/a and dt/a^2 that give the kicks
// and the drift of a step.
#include "expansion_steps.h"

#include <algorithm>
#include <cmath>

namespace g6run {

ExpansionSteps::ExpansionSteps(const Cosmology &cosmology, double a_begin, double a_end, int count,
                               const std::string &in)
    : cosmology_(cosmology), a_begin_(a_begin), a_end_(a_end), count_(count),
      in_time_(in == "time"), in_a_(in == "a"), span_(cosmology.integral(a_begin, a_end, 0))
{
}

// Newton's method begins at a_end_, above the result: time is convex in ln a, so that it converges.
double ExpansionSteps::at(double step) const
{
    const double way = step / count_;
    if (way <= 0) return a_begin_;
    if (way >= 1) return a_end_;
    if (in_time_) return cosmology_.after(a_begin_, way * span_, a_end_);
    if (in_a_) return a_begin_ + way * (a_end_ - a_begin_);
    return a_begin_ * std::exp(way * std::log(a_end_ / a_begin_));
}

double ExpansionSteps::place(double a) const
{
    if (in_time_) return cosmology_.integral(a_begin_, a, 0) / span_;
    if (in_a_) return (a - a_begin_) / (a_end_ - a_begin_);
    return std::log(a / a_begin_) / std::log(a_end_ / a_begin_);
}

StepFactors ExpansionSteps::factors(int step) const
{
    const double first = at(step), middle = at(step + 0.5), last = at(step + 1);
    return {cosmology_.integral(first, middle, 1), cosmology_.integral(first, last, 2),
            cosmology_.integral(middle, last, 1)};
}

int ExpansionSteps::nearest(double a) const
{
    const auto step = static_cast<int>(std::lround(place(a) * count_));
    return std::min(std::max(step, 0), count_);
}

}  // namespace g6run
