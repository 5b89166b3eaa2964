// SPDX-License-Identifier: MIT
// One row of one column: repeats after a warm-up, and errors against the long-double sums.
#pragma once

#include "column.h"

#include "../common/clock.h"

#include <optional>

namespace g6bench {

// Seconds over the repeats.
struct Timing {
    int repeats = 0;
    double min = 0, median = 0, max = 0;
};

struct Spread {
    double median = 0, p99 = 0, max = 0;
};

// Relative errors of the sampled particles, |a - a_ref|/|a_ref| and so on.
struct Errors {
    int samples = 0;
    Spread acc, jerk, pot;
    int wrong_nearest = -1;  // particles with another nearest neighbour; -1: not asked for
    int wrong_lists = -1;    // particles with another neighbour list, own index apart
};

struct Cell {
    Timing timing;
    std::optional<StepParts> parts;  // of block steps: the median of each
    std::optional<Errors> errors;
};

// The speed-up of one time over another, where more or fewer devices compute.
struct SpeedUp {
    double factor;
    double efficiency;  // factor over the ratio of the numbers of devices, in %
};
SpeedUp speed_up(double seconds, int devices, double first_seconds, int first_devices);

// Takes at least one value.
Timing timing_of(std::vector<double> seconds);

// Decides how often to repeat: as often as the options ask, else for the given seconds.  Three
// repeats are made at least, unless they take ten times the given seconds.
class Repeats {
public:
    explicit Repeats(const Options &options) : options_(options) {}
    // Whether to repeat once more, which it then counts as done.
    bool another();

private:
    const Options &options_;
    g6tools::Clock clock_;
    int done_ = 0;
};

// Sorts values; {0, 0, 0} when there are none.  p99: the least value that 99 % do not exceed.
Spread spread_of(std::vector<double> &values);

double neighbour_radius2(const Options &options, int nj);

Cell measure_steps(Column &column, Work &work, int n, const Options &options);
// All particles as one block, nothing sent.
Cell measure_kernel(Column &column, Work &work, const Options &options);
// nj calls of set_j_particle; timings are those of all calls together.
Cell measure_load(Column &column, const Work &work, const Options &options);

}  // namespace g6bench
