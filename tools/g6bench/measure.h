// SPDX-License-Identifier: MIT
// One row of one column: repeats after a warm-up, and errors against the long-double sums.
#pragma once

#include "column.h"

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
    std::optional<Errors> errors;
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
