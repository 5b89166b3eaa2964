// SPDX-License-Identifier: MIT
// Finds backends: the built-in cpu, and files g6_NAME.so in $G6_BACKEND_DIR, else in g6gpu/ beside
// this library. Invariants: never the current directory; no file takes the place of the built-in
// backend; a process with more rights than its user opens no file; a refused backend is remembered
// with its reason, never fatal, and has no entry or no devices; a loaded backend is never unloaded
// (its driver may own threads).
#pragma once

#include "backend.h"

#include <string>
#include <vector>

namespace g6 {

struct LoadedBackend {
    std::string name, path, reason;  // reason: "" when usable
    const Backend *entry = nullptr;
    int devices = 0;

    bool usable() const { return reason.empty(); }
};

// All that were looked at, the cpu last.  Scanned at the first call and again when G6_BACKEND_DIR
// changes.
const std::vector<const LoadedBackend *> &backends();

// Usable or refused; null when there is none.  The cpu is always found, and usable.
const LoadedBackend *find_backend(const std::string &name);
// Why find_backend() found nothing of this name.
std::string missing_file(const std::string &name);

// In order of preference for "auto": cuda, then an OpenCL GPU, then the cpu.
std::vector<const LoadedBackend *> automatic_order();

const Backend *cpu_backend();  // backends/cpu

}  // namespace g6
