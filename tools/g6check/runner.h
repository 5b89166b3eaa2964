// SPDX-License-Identifier: MIT
// Runs a piece of work with the library under test in a process of its own: a crash, an endless
// loop or an exit() of the library costs that piece and no more.  This process never opens the
// library: drivers and OpenMP do not survive a fork.
#pragma once

#include "rule.h"

#include <functional>
#include <string>

namespace g6check {

enum class End { kPass, kFail, kNotOffered };

struct Outcome {
    End end = End::kFail;
    std::string expected, got;  // kPass: got may hold a text; kNotOffered: got tells why
};

// Opens the library file and runs one rule on it.  timeout in seconds.
Outcome run_rule(const Rule &rule, const std::string &file, double timeout);
// The library's description; a Failure when it cannot be used at all.
std::string describe(const std::string &file, double timeout);

}  // namespace g6check
