// SPDX-License-Identifier: MIT
// The units that the command line names, put into those of the run.
#pragma once

#include "options.h"

namespace g6run {

// Chooses the run's units where --input-units, but no --units, were given, and makes numbers of the
// times, lengths and masses with a unit, once the units are known.  A restart has them from its
// snapshot.
void use_units(Options &options, const Settings *held);

// The bodies of an --input with --input-units, in the units of the run.
void convert_input(const Options &options, Snapshot &snapshot);

}  // namespace g6run
