// SPDX-License-Identifier: MIT
// --trace FILE: which rules of the interface the client of a recorded session breaks.
#pragma once

#include "options.h"

namespace g6check {

// Prints a line for each rule.  Returns the exit status: 1 when a rule is broken, else 0.
int check_session(const Options &options);

}  // namespace g6check
