// SPDX-License-Identifier: MIT
// A client's session with the library, every answer of which is compared with long-double sums.
#pragma once

#include <string>
#include <vector>

namespace g6test {

struct Outcome {
    std::vector<std::string> problems;  // empty: all right, or refused with a status and its text
    int statuses = 0;                   // calls that were refused
    std::string backend;                // that computed last
};

// Which of the driver's calls fail: none; one, or all later ones for one of several devices; all
// from one call on.
enum class Faults { kNone, kOne, kLasting };

constexpr const char *kSessions[] = {"hermite", "treewalk", "treeonly", "reopen"};

// name: one of these; or "shared", whose blocks are divided among all devices.
Outcome run_session(const std::string &name, const std::string &backend, Faults faults);

}  // namespace g6test
