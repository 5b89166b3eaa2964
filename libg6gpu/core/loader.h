// SPDX-License-Identifier: MIT
// Finds backends: the built-in cpu, and files g6_NAME.so in $G6_BACKEND_DIR, else in g6gpu/ beside
// this library.
//
// Invariants
//  * The current directory is never searched.
//  * No file takes the place of the built-in backend.
//  * A process with more rights than its user opens no file.
//  * A file that is cut off, or no regular file, is not opened.
//  * A refused backend is no error: it is kept with the reason, and has no entry or no devices.
//  * A loaded backend is never unloaded, since its driver may own threads.
//  * A file is opened, and its driver started, only when the backend is asked for.
//  * A driver that may abort the program is started in this process only after g6probe has started
//    it in another one without trouble (driver_probe.h).  Where g6probe itself cannot be started,
//    the driver is started without this trial, and the log says so at level debug.
//  * What the loader must know of a backend before it opens the file stands in a table of
//    loader.cpp and not in the file.  A backend that the table does not name is opened only when it
//    is asked for, and its driver counts as one that may abort the program.
//  * A driver that cannot abort the program is tried by g6probe only for backends(), which opens
//    all backends.
//  * A backend that reaches other processes is never tried by g6probe: a second process that takes
//    part in an MPI job would disturb the job.
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
    bool may_end_program = true;  // g6probe starts the driver in another process first
    bool reaches_others = false;  // it computes on devices of other processes, too
    bool looked_at = false;       // false: entry, devices and reason are not known yet
    std::optional<DriverProbe> probe;
    // fork_generation() when its opening began; none: it has not begun.  A child that was forked in
    // the middle of it leaves the driver alone.
    std::optional<unsigned> generation;

    // Whether a parent of this process opened the backend: the driver then belongs to the parent.
    bool of_parent() const;
    bool usable() const { return reason.empty() && !of_parent(); }
    // The number of devices that this process may use.
    int usable_devices() const { return usable() ? devices : 0; }
    std::string why_not() const;
};

// All backends, usable or refused, the cpu last; opens each of them.  The folder is scanned at the
// first call and whenever G6_BACKEND_DIR has changed.
std::vector<const LoadedBackend *> backends();
// "auto, cuda, cpu": the values of the setting "backend" that can be chosen, which are auto, the
// backends whose file is there, and the cpu.  Opens no file.  local: the values of "local_backend".
std::string backend_choices(bool local);

// The backend of this name, usable or refused, opened by this call if none has opened it; null when
// there is none.  The cpu is always found and usable.
const LoadedBackend *find_backend(const std::string &name);
// A text for a name that find_backend() has not found: the missing file, and the names that exist.
std::string missing_file(const std::string &name, bool local);

// The backends to try for a value of the setting "backend", in this order; the cpu is last.  auto:
// the first of the known backends that has a GPU or reaches other processes.  local: for a value of
// "local_backend", which never means a backend that reaches other processes.
std::vector<const LoadedBackend *> backends_for(const std::string &name, bool local);

const Backend *cpu_backend();  // backends/cpu

// The installed folder of backends, in the libg6gpu.a of an installation; else "".
const char *installed_backends();

}  // namespace g6
