// SPDX-License-Identifier: MIT
// The command line of g6run.
#pragma once

#include "snapshot.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace g6run {

// Options of a cosmological run.  Texts are lengths with a unit, or lists.
struct CosmicOptions {
    // "Om,OL,h", or "header" when nothing follows.
    std::string cosmology;
    std::optional<double> z_begin, z_end, eps_comoving_until;
    long long n_steps = 0;
    std::string step_in, z_out, sphere, centre, eps, multipole;

    bool any() const
    {
        return z_begin || z_end || eps_comoving_until || n_steps || !step_in.empty() ||
               !z_out.empty() || !sphere.empty() || !centre.empty() || !multipole.empty();
    }
};

// What was given on the command line.  For an empty member a restart takes the snapshot's value, a
// new run the default of Settings.
struct Options {
    long long plummer = 0;  // 0: not asked for
    long long count = 0;    // bodies of `model`
    std::string model;
    std::optional<unsigned long long> seed;
    std::string input, restart;
    std::vector<std::string> damaged;  // newer snapshots beside it, not readable
    std::vector<std::string> inputs;   // as given; only one is allowed

    std::optional<double> eta, eta_start, eps, dt_max, dt_min;
    std::optional<double> t_begin, t_end, table_every, snapshot_every;
    std::optional<double> dt, theta, group, max_error, gravity;
    std::string backend, precision, mode, method, steps, units, input_units, table_units;
    std::string eps_types;  // as given; use_units() leaves plain numbers

    CosmicOptions cosmic;

    // Times and lengths that were given with a unit, by the name of their option: {"--t-end",
    // "10Myr"}.  use_units() makes numbers of them.
    std::map<std::string, std::string> measures;

    std::string output, steps_log;
    Format format = Format::kHdf5;
    bool overwrite = false, quiet = false;
    bool strict = false;  // a setting or option that has no effect is an error

    unsigned long long seed_or_default() const { return seed.value_or(1); }
    // Throws unless --group is a whole number of bodies.
    void check_group() const;
    // An option and its value for a message: "--t-end 2", or "--t-end 10Myr (67.07)" if with a
    // unit.
    std::string said(const std::string &name, double value) const;
};

// Returns false when the program should end with `status`: help was asked for, or the command line
// was wrong, which stderr tells.
bool parse(int argc, char **argv, Options &options, int &status);

}  // namespace g6run
