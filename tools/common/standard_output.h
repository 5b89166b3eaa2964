// SPDX-License-Identifier: MIT
// Finds out whether a full disk or a closed descriptor has lost what a tool prints.  The tool then
// says so and ends with the status kOutputLost.
#pragma once

#include <string>

namespace g6tools {

// Exit status of g6info, g6bench and g6check when a line could not be written.
constexpr int kOutputLost = 4;

// To be called first in main().  Where the caller has closed stdin, stdout or stderr, the first
// file that is opened would get its descriptor, and messages would be written into that file.  This
// call opens /dev/null for reading on such descriptors, so that writing to them fails.
void hold_standard_descriptors();

// Writes out what stdout still holds.  Returns whether any output to stdout since the program's
// start was lost.  A reader that closed its pipe, as head does, wanted no more: for it nothing is
// lost.
bool output_lost();

// As output_lost(), but true when nothing was lost.  Otherwise one line on stderr says so.
bool output_written(const std::string &tool);

}  // namespace g6tools
