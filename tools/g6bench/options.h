// SPDX-License-Identifier: MIT
// What the command line asks for.
#pragma once

#include "../common/library_log.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace g6bench {

struct Options {
    std::vector<int> nj = {4096, 16384, 65536};  // particles
    std::vector<int> ni = {1, 16, 256, 1024};    // block sizes; those above nj are left out
    double eps = 1.0 / 256;                      // softening length
    std::uint64_t seed = 1;
    bool snap = true;        // a2by18 not zero
    bool unordered = false;  // indices are shuffled

    std::vector<std::string> libraries;  // files; empty: this tree's own
    // Every combination is one column of the table; used by libraries that have g6_set_option().
    // Each text of devices is a list, as "0,1".
    std::vector<std::string> precisions, modes, backends, devices;
    int threads = 0;  // 0: as the library decides
    int npipes = 0;   // 0: the library's default
    int ni_max = -1;  // i-particles in one call; -1: g6_npipes(), 0: no limit

    bool steps = false, load = false, kernel = false, tree = false;  // which tables
    std::vector<std::string> models = {"plummer"};                   // of the table of trees
    std::vector<double> thetas = {0.6};
    std::vector<std::string> macs = {"combined"};
    std::vector<int> multipoles = {0};
    bool moving = false;   // j-particles have velocities: the jerk is computed too
    double seconds = 0.3;  // for each row and column
    int repeat = 0;        // number of steps; 0: as many as fit into `seconds`

    std::string replay;  // file of a recorded session; "": none

    bool nearest = true;  // lasthalf2 rather than lasthalf
    bool bulk = false;    // g6_set_j_particles() rather than one call for each particle
    int softenings = 0;   // of j-particles: eps^2, 2 eps^2 ...; 0: none are set
    bool parts = false;   // tell the times of the calls apart
    bool lists = false;   // read neighbour lists in each step
    double h2 = -1;      // neighbour radius squared; negative: about 20 neighbours with lists, or 0
    bool check = false;  // errors against long-double sums
    int samples = 64;    // particles checked for each row and column

    bool csv = false;
    bool strict = false;  // a setting that is unknown or not possible is an error
    std::string output;   // file that gets a copy of the table
};

// A setting that is unknown or not possible, with --strict; the log has named it.
struct SettingRefused : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// Throws SettingRefused when --strict was given and the library has reported an error.
void need_settings(const Options &options, const g6tools::LibraryLog &log);

// Reads the command line into options.  Returns false when the program should end with status.
bool parse(int argc, char **argv, Options &options, int &status);

}  // namespace g6bench
