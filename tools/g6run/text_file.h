// SPDX-License-Identifier: MIT
// Plain text tables: one particle a line, m x y z vx vy vz, separated by white space, commas or
// semicolons.  With names in a line or a comment before them, other columns may be there, and the
// columns may have any order.
// Fortran exponents (1d0) are read.  # ! % begin a comment, as does // at the beginning of a line.
// The comment "# time T", "# time = T" or "# t = T" gives the system time.  Numbers are written
// with 17 digits, and so are read back exactly.  Comments "# g6run NAME VALUE" have the settings of
// the run, by the names of body.h.
#pragma once

#include "body.h"

#include <string>

namespace g6run {

constexpr const char *kStandardInput = "-";

// Reads a table from a file, or from standard input for kStandardInput.
Snapshot read_text(const std::string &path);
// A file of this name must not exist.
void write_text(const std::string &path, const Snapshot &snapshot);

}  // namespace g6run
