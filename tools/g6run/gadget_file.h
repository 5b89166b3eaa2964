// SPDX-License-Identifier: MIT
// Snapshots in the HDF5 layout of Gadget: a group Header, and for each particle type in use a group
// PartType0 ... PartType5 with Coordinates, Velocities, Masses, ParticleIDs.  docs/snapshots.md
// describes all of it.
//
// Gadget's boxes reach from 0 to BoxSize, as yt expects.  Coordinates are therefore the positions
// plus half of a BoxSize that encloses them.  This sum is rounded, and so the data set Position has
// the exact positions.  read_gadget() takes Position where the file has it.
//
// To go on with the same bits a run needs more, which other readers ignore: a group G6run with the
// numbers and texts of RunState, and for each particle type the data sets Acceleration, Jerk,
// OwnTime and TimeStep.  In a file written between two common times, Coordinates and Velocities are
// those at each particle's OwnTime, at most one of its steps before the header's Time.
#pragma once

#include "body.h"

#include <string>

namespace g6run {

Snapshot read_gadget(const std::string &path);
void write_gadget(const std::string &path, const Snapshot &snapshot);

}  // namespace g6run
