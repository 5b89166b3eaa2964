// SPDX-License-Identifier: MIT
// What the scales of a run tell of mistakes, above all of units that do not go together.
#pragma once

#include "body.h"
#include "diagnostics.h"

#include <string>
#include <vector>

namespace g6run {

// One sentence for each number that is out of all proportion.  figures: those of the bodies at the
// start, at time `begin`.
std::vector<std::string> hints(const Figures &figures, const std::vector<Body> &bodies,
                               const Settings &settings, double begin);

}  // namespace g6run
