// SPDX-License-Identifier: MIT
// What an HDF5 snapshot tells beside its particles, by the names of common/snapshot_names.inc: units, gravity,
// whether it is of an expanding universe.  g6plot's told.py has the same rules.
#pragma once

#include "hdf5_file.h"

#include <optional>
#include <string>

namespace g6run {

// Of a quantity of snapshot_names.inc; throws for an attribute that is not one finite number.
std::optional<double> told(const Group &file, const std::string &quantity);

struct FileUnits {
    double length = 0, mass = 0, time = 0;  // cm, g, s
    // Whether a file of an expanding universe has lengths and masses over h, and velocities over
    // sqrt(a).
    bool over_h = true;
};

// Nothing for a file that names no units.  Throws for those that name some, or impossible ones, and
// for two groups that disagree.
std::optional<FileUnits> told_units(const Group &file);

// The constant of gravity in the file's own units: the one that it names, or that of nature in its
// units; nothing where it tells neither.
std::optional<double> told_gravity(const Group &file);

// The scale factor of an expanding universe, nothing for any other file.
std::optional<double> told_expansion(const Group &file);

// The side of a cube, 0 for none.  Throws for a box of other sides.
double told_box(const Group &header);

}  // namespace g6run
