// SPDX-License-Identifier: MIT
// The shared object of a backend: loaded for good, its entry checked.  For the loader, and for
// g6probe, which does the same in a process of its own.
#pragma once

#include "backend.h"

#include <string>

namespace g6 {

// Null, and the reason, where it cannot be loaded or is no backend that fits this library.
const Backend *open_entry(const std::string &path, std::string &reason);

// Whether a device that this backend counts is a GPU.
bool has_gpu(const Backend &entry, int devices);

}  // namespace g6
