// SPDX-License-Identifier: MIT
// The longest step of a run.  All times that the run must reach are whole multiples of this step:
// the times of the table's lines, of the snapshots and of the end.  Block steps are the longest
// step times powers of 1/2, so that all bodies meet at each of these times.
#pragma once

#include <vector>

namespace g6run {

// Whether a time that was typed, or converted from another unit, is a multiple of the step, up to
// the rounding of a few operations.
bool fits(double time, double step);

// Whether two such times are equal, up to the rounding of a few operations for each.
bool are_same(double time, double other);

// dt_max, halved until all times fit.  0 if a time still does not fit when dt_max is below 2^-20
// and below 2^-10 of this time.
double halved_to_fit(double dt_max, const std::vector<double> &times);

// The longest of the shortest time and its parts 1/2, 1/3 ... 1/100 of which all times are
// multiples; 0 where there is none.  For 0.1 and 0.25 it is 0.05.
double common_step(const std::vector<double> &times);

// The longest product of step and a power of 2 that does not exceed the limit; part_below() is not
// above step, either.
double step_below(double step, double limit);
double part_below(double step, double limit);

// The multiple of the step that is nearest to the time, rounded once.  The time must fit.
double on_grid(double time, double step);

}  // namespace g6run
