// SPDX-License-Identifier: MIT
// From the command line and a file to the particles and the settings of a cosmological run.
#pragma once

#include "cosmology_file.h"
#include "options.h"

#include <string>
#include <vector>

namespace g6run {

// Whether the command line asks for a cosmological run, or names a snapshot of one.
bool is_cosmic(const Options &options);

struct CosmicStart {
    CosmicSnapshot snapshot;
    bool goes_on = false;            // from a snapshot of a run
    std::vector<std::string> notes;  // about the input, for the table's head
};

// Reads the input or the restart file.  Throws usage errors for options that exclude each other.
CosmicStart plan_cosmology(const Options &options);

ExpansionSteps expansion_steps(const CosmicSettings &settings);

}  // namespace g6run
