// SPDX-License-Identifier: MIT
// Hints at likely mistakes of the user.  A number of the run that is out of proportion mostly comes
// from inconsistent units.
#pragma once

#include "body.h"
#include "diagnostics.h"

#include <string>
#include <vector>

namespace g6run {

// One sentence for each number that is out of proportion.  figures: energies and radii of the
// bodies at the start of the run, at time `begin`.
std::vector<std::string> hints(const Figures &figures, const std::vector<Body> &bodies,
                               const Settings &settings, double begin);

// Hints about the initial conditions: gas, equal parts of a table, masses that count the bodies, a
// unit of mass that changes the masses of a model's stars, and a softening that changes the orbits
// of its binaries.
std::vector<std::string> model_hints(const Snapshot &start, const Settings &settings);

}  // namespace g6run
