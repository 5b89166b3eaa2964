// SPDX-License-Identifier: MIT
// The command line of g6run.
#pragma once

#include "snapshot.h"

#include <optional>
#include <string>

namespace g6run {

// What was given on the command line.  Empty: a restart takes the snapshot's value, a fresh run the
// default of Settings.
struct Options {
    long long plummer = 0;  // 0: not asked for
    long long count = 0;    // bodies of `model`
    std::string model;
    long long seed = 1;
    std::string input, restart;

    std::optional<double> eta, eta_start, eps, dt_max, dt_min;
    std::optional<double> t_begin, t_end, table_every, snapshot_every;
    std::optional<double> dt, theta, group, max_error;
    std::string backend, precision, mode, method, steps, units;

    std::string output;
    Format format = Format::kHdf5;
    bool overwrite = false, quiet = false;
    bool strict = false;  // a setting or option that has no effect is an error
};

// Returns false when the program should end with `status`: help was asked for, or the line was
// wrong (which is said on stderr).
bool parse(int argc, char **argv, Options &options, int &status);

}  // namespace g6run
