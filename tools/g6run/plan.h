// SPDX-License-Identifier: MIT
// From the command line and the initial conditions to the settings of a run.
#pragma once

#include "options.h"

#include <string>
#include <vector>

namespace g6run {

// The command line over the snapshot's state over the defaults; usage errors for what cannot be.
// Afterwards dt and dt_min are dt_max times powers of 1/2, and begin, end and both intervals are
// multiples of dt_max (step_grid.h): at each of those times all particles are there.  The end and
// the intervals are these multiples to the last bit; on_grid() makes the begin of a new run one.
Settings plan(const Options &options, const Snapshot &snapshot);

// Whether the run gets a softening without --eps: a leapfrog of a model does, one of a file does
// not, because only the user knows the lengths of a file.
bool softens_by_default(const Options &options, const Settings &settings);

// Whether the particles' accelerations, derivatives and steps serve the first step of a run with
// these settings.  A leapfrog has no jerk, and one with equal steps has a step that no criterion
// chose: block steps, of either scheme, cannot go on from them.
bool goes_on(const Snapshot &snapshot, const Settings &settings);

// One sentence for each option that was given and has no effect.  mode: the library's, in force.
std::vector<std::string> idle_options(const Options &options, const Settings &settings,
                                      const std::string &mode);

// A message where the times of a new run have only a short step in common, which neither --dt-max
// nor the length of a run in --input-units asks for, so that all steps become short; "" where they
// do not.
std::string short_steps(const Options &options, const Settings &settings, double begin);

}  // namespace g6run
