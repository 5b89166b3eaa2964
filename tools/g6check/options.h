// SPDX-License-Identifier: MIT
// What g6check was asked for.
#pragma once

#include <string>
#include <vector>

namespace g6check {

struct Options {
    Options();
    std::string library = "own";
    std::string trace;              // file of a recorded session; "": none
    std::vector<std::string> only;  // rules or groups; empty: all
    bool strict = false;            // a setting that is unknown or not possible is an error
    bool list = false, csv = false, quiet = false;
    bool computing = false;  // leave out the rules that are kShared
    double timeout = 60;     // seconds for each rule
    double soak = 0;         // seconds of random sessions instead of rules; 0: none
    unsigned long seed = 1;  // of the random sessions
    int jobs;                // rules side by side
};

// Returns false when the program should end with status.
bool parse(int argc, char **argv, Options &options, int &status);

}  // namespace g6check
