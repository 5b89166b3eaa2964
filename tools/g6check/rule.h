// SPDX-License-Identifier: MIT
// One rule of the GRAPE-6 interface that can be checked from outside.  Each rule runs in a process
// of its own, in which the library has just been loaded and no GRAPE-6 call was made.
#pragma once

#include "library.h"

#include <vector>

namespace g6check {

struct Rule {
    const char *name;
    const char *reason;  // who counts on it, in a few words
    void (*run)(const Library &library);
    unsigned traits = 0;
};
// The process ends by exit(), as an application does.
constexpr unsigned kEndsByExit = 1;
// The result is the same for all backends, precisions and modes of a library: the rule is about
// names, arguments, ids or the count of pipes, in the part of a library that these share.
constexpr unsigned kShared = 2;

struct Group {
    const char *name;
    std::vector<Rule> rules;
};

std::vector<Rule> name_rules();
std::vector<Rule> argument_rules();
std::vector<Rule> lifecycle_rules();
std::vector<Rule> memory_rules();
std::vector<Rule> predictor_rules();
std::vector<Rule> force_rules();
std::vector<Rule> self_rules();
std::vector<Rule> halves_rules();
std::vector<Rule> nearest_rules();
std::vector<Rule> list_rules();
std::vector<Rule> family_rules();

// All, in the order of the report.
std::vector<Group> all_rules();

}  // namespace g6check
