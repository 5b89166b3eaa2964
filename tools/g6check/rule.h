// SPDX-License-Identifier: MIT
// One rule of the GRAPE-6 interface that can be seen from outside.  Each runs in a process of its
// own, in which the library has just been opened and nothing was called yet.
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
// Names, arguments, ids, the count of pipes: kept or broken before anything is computed, in the
// part that a library's backends, precisions and modes share.
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
