// SPDX-License-Identifier: MIT
// Reads from the header of an HDF5 snapshot the units, the constant of gravity, and whether the
// universe expands.  common/snapshot_names.inc has the names of the attributes.
// g6plot's told.py has the same rules.
#pragma once

#include "hdf5_file.h"

#include <optional>
#include <string>

namespace g6run {

// The value of a quantity of snapshot_names.inc; none where the file has no such attribute.  Throws
// for an attribute that is not one finite number.
std::optional<double> told(const Group &file, const std::string &quantity);

struct FileUnits {
    double length = 0, mass = 0, time = 0;  // cm, g, s
    // The convention of the file's code for an expanding universe.  true: lengths and masses are
    // divided by h, and velocities by sqrt(a) (the family of GADGET); false: they are not (SWIFT).
    bool over_h = true;
};

// None for a file that names no units.  Throws for a file that names only some units, for a unit
// that is not positive, and for two groups that name different units.
std::optional<FileUnits> told_units(const Group &file);

// The units as a list for --input-units.  "" for a file that names no units, and where its numbers
// may be in other units: it has a constant of gravity of its own, lengths and masses over an h that
// is not 1, or the units that g6run writes where it knows none.
std::string told_unit_list(const Group &file);

// The constant of gravity in the file's own units: the constant that the file names, else that of
// nature in the file's units.  None for a file with neither a constant nor units.
std::optional<double> told_gravity(const Group &file);

// The scale factor of an expanding universe; none for any other file.
std::optional<double> told_expansion(const Group &file);

// The side of the cubic box; 0 where the file has no box.  Throws where the sides differ.
double told_box(const Group &header);

}  // namespace g6run
