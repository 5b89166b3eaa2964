// SPDX-License-Identifier: MIT
// --replay FILE: plays a recorded session (G6_TRACE) and compares times and results.
#pragma once

#include "options.h"
#include "output.h"

namespace g6bench {

void run_replay(const Options &options, Output &output, g6tools::LibraryLog &log);

}  // namespace g6bench
