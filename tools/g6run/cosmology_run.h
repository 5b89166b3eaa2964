// SPDX-License-Identifier: MIT
// A cosmological run from its first to its last output.
#pragma once

#include "options.h"

namespace g6run {

// Returns the exit status of the program; throws Error.
int run_cosmology(const Options &options);

}  // namespace g6run
