// SPDX-License-Identifier: MIT
// What a run starts from: the model or file that the options name, checked.
#pragma once

#include "body.h"
#include "options.h"

#include <string>

namespace g6run {

// The file's name, or "standard input".
std::string source_name(const Options &options);
// If --restart names a folder, replaces it by the folder's newest snapshot that can be read.
// Snapshots that cannot be read are named on stderr, and may be replaced.
void choose_restart(Options &options);
// The text of the progress line while initial_conditions() works.
std::string source_action(const Options &options);
// Throws Error.
Snapshot initial_conditions(const Options &options);
// Throws Error for values whose squares are infinite, and for bodies in one place with no
// softening: the library leaves their force out, and their energy means nothing.
void check_physics(const Snapshot &start, const Settings &settings);
// The folder that the options name; else that of the restart file if the run goes on from there, or
// "run-out".
std::string output_path(const Options &options, bool goes_on);

}  // namespace g6run
