// SPDX-License-Identifier: MIT
// A full disk or a closed descriptor loses what a tool prints: the tool says so and ends with a
// status of its own.
#pragma once

#include <string>

namespace g6tools {

// Exit status of g6info, g6bench and g6check when a line could not be written.
constexpr int kOutputLost = 4;

// To be called first in main().  A descriptor of stdin, stdout or stderr that the caller has closed
// would go to the first file that is opened, and messages would be written into that file.  This
// call gives such a descriptor to /dev/null, where writing fails.
void hold_standard_descriptors();

// Writes out what stdout still holds.  Returns whether any output to stdout since the program's
// start was lost.  A reader that closed its pipe, as head does, wanted no more: for it nothing is
// lost.
bool output_lost();

// Likewise; false, with one line on stderr, when output was lost.
bool output_written(const std::string &tool);

}  // namespace g6tools
