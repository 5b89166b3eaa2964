// SPDX-License-Identifier: MIT
// A rule of the GRAPE-6 interface that a client can test.  Each runs in a process of its own, in
// which the library has just been loaded.  Only g6_get_option() was called there, if it exists.
#pragma once

#include "library.h"

#include <vector>

namespace g6check {

struct Rule {
    const char *name;
    const char *reason;  // what the rule says, or which code counts on it
    void (*run)(const Library &library);
    unsigned traits = 0;
};
// The process ends by exit(), as an application does.
constexpr unsigned kEndsByExit = 1;
// The rule is about names, arguments, ids or the number of pipes: its result does not depend on the
// backend, the precision or the mode.
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

// All rules, in the order of the report.
std::vector<Group> all_rules();

}  // namespace g6check
