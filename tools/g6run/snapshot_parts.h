// SPDX-License-Identifier: MIT
// A snapshot in several HDF5 files: NAME.0.hdf5, NAME.1.hdf5 ..., as Gadget, AREPO, SWIFT and the
// programs that make initial conditions write them.
#pragma once

#include "hdf5_file.h"

#include <string>
#include <vector>

namespace g6run {

// The file to open for a given path: NAME.0.hdf5 or NAME.0.h5 where NAME is given and no file has
// that name, else the path itself.
std::string first_part(const std::string &given);

// The number of files of a snapshot: NumFilesPerSnapshot, or 1 without this attribute.
int files_of(const Group &header);

// The paths of all files of the snapshot to which the file `path`, with this header, belongs.
std::vector<std::string> all_parts(const std::string &path, const Group &header);

}  // namespace g6run
