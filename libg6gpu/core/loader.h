// SPDX-License-Identifier: MIT
// Finds backends: the built-in cpu, and files g6_NAME.so in $G6_BACKEND_DIR, else in g6gpu/ beside
// this library.
//
// Invariants
//  * The current directory is never searched.
//  * No file takes the place of the built-in backend.
//  * A process with more rights than its user opens no file.
//  * A refused backend is no error: it is kept with the reason, and has no entry or no devices.
//  * A loaded backend is never unloaded, since its driver may own threads.
//  * A file is opened, and its driver started, only when the backend is asked for.
//  * A driver that may abort the program is started here only after g6probe has started it in
//    another process without trouble (driver_probe.h).  Where g6probe itself cannot be started, the
//    driver is started without this trial, and the log says so at level debug.
//  * The AutoRule in a backend's file may say that its driver reports errors and does not abort.
//    g6probe tries such a driver only when backends() opens all backends.
//  * The loader knows no backend by name but the cpu: what "auto" needs to know of a backend stands
//    in the backend's file.
//  * A backend that reaches other processes (AutoRule::needs) is never opened by g6probe: a second
//    process that takes part in the same job would disturb it.
#pragma once

#include "../backend.h"
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
    bool looked_at = false;  // false: only name, path, rule and probe are known
    std::optional<AutoRule> rule;
    std::optional<DriverProbe> probe;
    // Whether its opening has begun, and fork_generation() at that time.  A child that was forked in
    // the middle of it leaves the driver alone.
    bool started = false;
    unsigned generation = 0;

    // Whether a parent of this process opened it: then its driver belongs to that parent.
    bool of_parent() const;
    bool usable() const { return reason.empty() && !of_parent(); }
    std::string why_not() const;
};

// All backends, usable or refused, the cpu last; opens each of them.  The folder is scanned at the
// first call and whenever G6_BACKEND_DIR has changed.
std::vector<const LoadedBackend *> backends();
// "auto, cuda, cpu": the values that name a backend which is there; opens none of them.  own: those
// of this process's own devices.
std::string backend_choices(bool own);

// The backend of this name, usable or refused, opened by this call if none has opened it; null when
// there is none.  The cpu is always found and usable.
const LoadedBackend *find_backend(const std::string &name);
// Why find_backend() found nothing of this name, and what it would find.
std::string missing_file(const std::string &name, bool own);

// What the setting "auto" tries: the first backend by the ranks of their files that has a GPU or
// reaches other processes, then the cpu.
std::vector<const LoadedBackend *> automatic_order();
// The backend of this process's own devices, by the setting "local_backend": never one that reaches
// other processes.
const LoadedBackend *own_backend(const std::string &name);

const Backend *cpu_backend();  // backends/cpu

// The folder of the backends, when this is the archive of an installation; "" in a build folder.
const char *installed_backends();

}  // namespace g6
