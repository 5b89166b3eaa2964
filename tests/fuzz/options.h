// SPDX-License-Identifier: MIT
// The options of g6fuzz.
#pragma once

#include "scene.h"

#include <map>
#include <set>
#include <string>

namespace g6fuzz {

struct Options {
    std::uint64_t seed = 1;
    long runs = 0;  // 0: until seconds are over
    double seconds = 0;
    int runs_per_process = 20;
    std::string backend = "cpu";
    std::map<std::string, std::string> environment;  // G6_* variables, "mode" for G6_MODE
    std::set<std::string> fixed;                     // settings that runs leave alone
    std::string replay, folder = ".";
    double shrink = 60;  // seconds
    double silence = 60;
    bool all_calls = false;  // fail when a call was never made
    Features features;
};

// Returns false when the program should end with status.
bool parse(int argc, char **argv, Options &options, int &status);

}  // namespace g6fuzz
