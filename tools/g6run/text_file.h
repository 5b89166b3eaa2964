// SPDX-License-Identifier: MIT
// Plain text tables: one particle a line, m x y z vx vy vz, between white space, commas or
// semicolons; with a line of names ahead of them, or a comment, also other columns in any order.
// Fortran exponents (1d0) are read.  # ! % start a comment, and so does // at the begin of
// a line.  The comment "# time T", "# time = T" or "# t = T" gives the system time.  Numbers are
// written with 17 digits and so read back exactly.
// Comments "# g6run NAME VALUE" hold the settings of the run, by the names of body.h.
#pragma once

#include "body.h"

#include <string>

namespace g6run {

constexpr const char *kStandardInput = "-";

// Of kStandardInput: standard input.
Snapshot read_text(const std::string &path);
// A file of this name must not exist.
void write_text(const std::string &path, const Snapshot &snapshot);

}  // namespace g6run
