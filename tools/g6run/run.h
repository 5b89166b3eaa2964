// SPDX-License-Identifier: MIT
// One run of g6run, from its initial conditions to its summary.
#pragma once

#include "options.h"

namespace g6run {

// Returns the exit status: done or interrupted.  Throws Error.
int run(const Options &options);

}  // namespace g6run
