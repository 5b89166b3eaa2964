// SPDX-License-Identifier: MIT
// Runs each rule in a process of its own, so a crash, an endless loop or an exit() of the library
// fails this rule only.  The parent process never loads the library: drivers and threads do not
// survive a fork.
#pragma once

#include "rule.h"

#include <functional>
#include <string>
#include <vector>

namespace g6check {

enum class End { kPass, kFail, kNotOffered };

struct Outcome {
    End end = End::kFail;
    std::string expected, got;  // kPass: got may hold a text; kNotOffered: got tells why
};

// How to run: timeout in seconds for each rule, jobs side by side.
struct Pace {
    double timeout;
    int jobs = 1;
};

// Opens the library file and runs each rule on it; ended gets the outcomes, in the order of the
// rules, each as soon as it and all before it are known.  A rule that fails, or runs out of time,
// beside others is run again alone, and only the second outcome counts: a loaded machine, or a
// device that serves one process only, fails no rule.
void run_rules(const std::vector<const Rule *> &rules, const std::string &file, const Pace &pace,
               const std::function<void(size_t rule, const Outcome &)> &ended);
// Returns what question(library) returns; throws Failure when the library cannot be used at all.
std::string ask(const std::string &file, double timeout,
                const std::function<std::string(const Library &)> &question);

}  // namespace g6check
