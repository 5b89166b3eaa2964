// SPDX-License-Identifier: MIT
// Reads and writes snapshots in both formats, and checks every input.
#pragma once

#include "body.h"

#include <functional>
#include <string>

namespace g6run {

enum class Format { kHdf5, kText };

// Ending of file names: ".hdf5", ".txt".
const char *ending(Format format);

// Reads a file by its content (HDF5 or text), or text from standard input ("-"), and checks it.
Snapshot read_snapshot(const std::string &path);
// Lets `write` make a file beside `path` and renames it, so that a file with the name `path` is
// always complete.
void write_whole(const std::string &path, const std::function<void(const std::string &)> &write);
void write_snapshot(const std::string &path, Format format, const Snapshot &snapshot);
// A Plummer sphere, or another model by name and parameters (models.h), at time 0.
Snapshot plummer_snapshot(std::size_t n, std::uint64_t seed);
Snapshot model_snapshot(const std::string &text, std::size_t n, std::uint64_t seed);

// Throws unless there are particles, all numbers are finite, no mass is negative and one positive.
void check_particles(const Snapshot &snapshot, const std::string &source);

}  // namespace g6run
