// SPDX-License-Identifier: MIT
// From the command line and the initial conditions to the settings of a run.
#pragma once

#include "options.h"

#include <string>
#include <vector>

namespace g6run {

// Settings by the command line, else by the snapshot's state, else by default.  Throws usage
// errors.  dt and dt_min are dt_max times powers of 1/2.  Begin, end and both intervals are
// multiples of dt_max (step_grid.h), so that all particles meet at these times.  End and intervals
// are such multiples to the last bit; on_grid() rounds the begin of a new run.
Settings plan(const Options &options, const Snapshot &snapshot);

// Whether the run gets a softening without --eps: a leapfrog of a model does, one of a file does
// not, because only the user knows the lengths of a file.
bool softens_by_default(const Options &options, const Settings &settings);

// Whether a run with these settings can begin with the particles' derivatives and steps.  Those of
// a leapfrog lack the jerk, and those of equal steps a step that a criterion chose, without which
// block steps of either scheme cannot go on.
bool goes_on(const Snapshot &snapshot, const Settings &settings);

// One sentence for each option that was given and has no effect.  mode: the library's, in force.
std::vector<std::string> idle_options(const Options &options, const Settings &settings,
                                      const std::string &mode);

// A message where all steps become short because the times of a new run have only a short step in
// common, which neither --dt-max nor the length of a run in --input-units asks for; else "".
std::string short_steps(const Options &options, const Settings &settings, double begin);

}  // namespace g6run
