// SPDX-License-Identifier: MIT
// A snapshot in several HDF5 files: NAME.0.hdf5, NAME.1.hdf5 ..., as Gadget, AREPO, SWIFT and the
// programs that make initial conditions write them.
#pragma once

#include "hdf5_file.h"

#include <string>
#include <vector>

namespace g6run {

// NAME.0.hdf5 (.h5) where NAME is given and no file has this name; else what is given.
std::string first_part(const std::string &given);

// NumFilesPerSnapshot, 1 where it is not told.
int files_of(const Group &header);

// All files of the snapshot that `path`, with this header, is a part of.
std::vector<std::string> all_parts(const std::string &path, const Group &header);

}  // namespace g6run
