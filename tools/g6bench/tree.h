// SPDX-License-Identifier: MIT
// Prints a table of mode treewalk: times of the parts of a shared step against N and opening angle,
// measured alike for each backend, and the errors against direct sums in double precision.  Each
// list of devices has its rows, with speed-ups of walk and step relative to the first list.
#pragma once

#include "options.h"
#include "output.h"

namespace g6bench {

// log: takes the library's messages.
void run_tree(const Options &options, Output &output, g6tools::LibraryLog &log);

}  // namespace g6bench
