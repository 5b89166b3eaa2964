// SPDX-License-Identifier: MIT
// Runs each piece of work with the library under test in a process of its own: a crash, an endless
// loop or an exit() of the library costs only this piece.  The parent process never opens the
// library: drivers and threads do not survive a fork.
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

// Opens the library file and runs each rule on it.  ended() gets the outcomes in the order of the
// rules, each as soon as all earlier outcomes are known, too.  A rule that fails, or runs out of
// time, beside other rules is run again alone, and the second outcome counts: so a loaded machine,
// or a device that serves only one process, fails no rule.
void run_rules(const std::vector<const Rule *> &rules, const std::string &file, const Pace &pace,
               const std::function<void(size_t rule, const Outcome &)> &ended);
// What question(library) returns; a Failure when the library cannot be used at all.
std::string ask(const std::string &file, double timeout,
                const std::function<std::string(const Library &)> &question);

}  // namespace g6check
