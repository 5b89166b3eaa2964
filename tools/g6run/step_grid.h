// SPDX-License-Identifier: MIT
// A step of which all times that a run must reach are whole multiples: the time of each of its
// lines, of its snapshots and of its end.  Block steps are this step times powers of 1/2.
#pragma once

#include <vector>

namespace g6run {

// Whether a time that was typed, or converted from another unit, stands for a multiple of the step:
// it is one but for the rounding of a few operations.
bool fits(double time, double step);

// dt_max, halved until all times fit; 0 where that takes steps which nobody would want.
double halved_to_fit(double dt_max, const std::vector<double> &times);

// The shortest of these times, or the largest of its parts 1/2, 1/3 ... 1/100, that all times fit;
// 0 where none does.  0.1 and 0.25 have 0.05.
double common_step(const std::vector<double> &times);

// step times the largest power of two, of at most 1, that does not exceed the limit.
double part_below(double step, double limit);

// The multiple that a time that fits stands for, rounded once.
double on_grid(double time, double step);

}  // namespace g6run
