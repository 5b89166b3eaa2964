// SPDX-License-Identifier: MIT
// Reads the shared object of a backend, g6_NAME.so: opens it and checks its entry, or reads its
// AutoRule without opening it as a library.  An opened object stays loaded until the process ends,
// because its driver may own threads.  The loader calls these functions in the client's process,
// g6probe in a process of its own.
#pragma once

#include "../backend.h"

#include <optional>
#include <string>

namespace g6 {

// Returns null and sets the reason when the file cannot be loaded or is no backend for this version
// of the library.
const Backend *open_entry(const std::string &path, std::string &reason);

// The AutoRule of the file, if it has one.  Runs no code of the file and takes no memory.
std::optional<AutoRule> auto_rule(const std::string &path);

// Whether one of the backend's devices, 0 to devices - 1, is a GPU.
bool has_gpu(const Backend &entry, int devices);

}  // namespace g6
