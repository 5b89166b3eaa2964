// SPDX-License-Identifier: MIT
// Finds backends: the built-in cpu, and files g6_NAME.so in $G6_BACKEND_DIR, else in g6gpu/ beside
// this library. Invariants: never the current directory; no file takes the place of the built-in
// backend; a process with more rights than its user opens no file; a refused backend is remembered
// with its reason, never fatal, and has no entry or no devices; a loaded backend is never unloaded
// (its driver may own threads).  A file is opened, and its driver started, only when the backend is
// asked for, and only after another process has started it well (driver_probe.h): a driver may abort
// the program.
#pragma once

#include "backend.h"
#include "driver_probe.h"

#include <optional>
#include <string>
#include <vector>

namespace g6 {

struct LoadedBackend {
    std::string name, path, reason;  // reason: "" when usable
    const Backend *entry = nullptr;
    int devices = 0;
    bool built_in = false;
    bool looked_at = false;  // else nothing but name, path and probe is known
    std::optional<DriverProbe> probe;
    unsigned generation = 0;  // fork_generation() when it was opened

    // Whether its driver belongs to a parent of this process.
    bool of_parent() const;
    bool usable() const { return reason.empty() && !of_parent(); }
    std::string why_not() const;
};

// All that there are, opened, the cpu last.  The folder is scanned at the first call and again when
// G6_BACKEND_DIR changes.
std::vector<const LoadedBackend *> backends();
// Their names; opens none.
std::vector<std::string> backend_names();

// Opened now, if it was not: usable or refused; null when there is none.  The cpu is always found,
// and usable.
const LoadedBackend *find_backend(const std::string &name);
// Why find_backend() found nothing of this name.
std::string missing_file(const std::string &name);

// For "auto": cuda, or an OpenCL GPU where cuda has none, then the cpu.
std::vector<const LoadedBackend *> automatic_order();

const Backend *cpu_backend();  // backends/cpu

// The folder of the installation that this archive belongs to; "" in a build folder.
const char *installed_backends();

}  // namespace g6
