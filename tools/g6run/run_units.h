// SPDX-License-Identifier: MIT
// Converts numbers of the command line, and the bodies of an --input, to the units of the run.
#pragma once

#include "options.h"

namespace g6run {

// Converts the times, lengths and masses that options give with a unit to numbers in the units of
// the run.  --units names the units of the run; without it they follow from --input-units, and in a
// restart from `held`, the settings of its snapshot.
void use_units(Options &options, const Settings *held);

// Converts the bodies of an --input from --input-units to the units of the run.
void convert_input(const Options &options, Snapshot &snapshot);

}  // namespace g6run
