// SPDX-License-Identifier: MIT
// Table of mode treewalk: times of the parts of a shared step against N and opening angle, measured
// in the same way for each backend, and errors against direct sums in double precision.  Each list
// of devices has its rows, with speed-ups of walk and step over the first list.
#pragma once

#include "options.h"
#include "output.h"

namespace g6bench {

// log: takes what the library reports.
void run_tree(const Options &options, Output &output, g6tools::LibraryLog &log);

}  // namespace g6bench
