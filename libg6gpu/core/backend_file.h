// SPDX-License-Identifier: MIT
// Opens the shared object of a backend, g6_NAME.so, and checks its entry.  An opened object stays
// loaded until the process ends, because its driver may own threads.  The loader calls these
// functions in the client's process, g6probe in a process of its own.
#pragma once

#include "../backend.h"

#include <string>

namespace g6 {

// Returns null and sets the reason when the file cannot be loaded or is no backend for this version
// of the library.
const Backend *open_entry(const std::string &path, std::string &reason);

// Whether one of the backend's devices, 0 to devices - 1, is a GPU.
bool has_gpu(const Backend &entry, int devices);

}  // namespace g6
