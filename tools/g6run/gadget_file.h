// SPDX-License-Identifier: MIT
// Snapshots in the HDF5 layout of Gadget: a group Header, and for each particle type in use a group
// PartType0 ... PartType5 with Coordinates, Velocities, Masses, ParticleIDs.  docs/snapshots.md
// describes all of it.
//
// Gadget's boxes, and yt, have coordinates from 0 to BoxSize: Coordinates are the positions shifted
// by half of a BoxSize that encloses them.  The shift rounds, so that the data set Position has the
// positions to the last bit; read_gadget() takes these.
//
// What a run needs to go on exactly lies beside that, out of other readers' way: a group G6run with
// the numbers of RunState, and per type the data sets Acceleration, Jerk, OwnTime, TimeStep.  In a
// file written between two common times, Coordinates and Velocities are those at each particle's
// OwnTime, at most one of its steps before the header's Time.
#pragma once

#include "body.h"

#include <string>

namespace g6run {

Snapshot read_gadget(const std::string &path);
void write_gadget(const std::string &path, const Snapshot &snapshot);

}  // namespace g6run
