// SPDX-License-Identifier: MIT
// From the command line and the initial conditions to the settings of a run.
#pragma once

#include "options.h"

namespace g6run {

// The command line over the snapshot's state over the defaults; usage errors for what cannot be.
// Afterwards dt_max and dt_min are powers of two and begin, end and both intervals multiples of
// dt_max: at each of those times all particles are there.
Settings plan(const Options &options, const Snapshot &snapshot);

}  // namespace g6run
