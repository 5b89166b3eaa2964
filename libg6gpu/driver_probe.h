// SPDX-License-Identifier: MIT
// A driver that ends the program which starts it (an OpenCL driver whose constructor aborts, PoCL
// where /sys is missing) must not end the client.  So the program g6probe, which lies beside the
// backends, starts the driver first, in a process of its own; the library asks how that went.
// Invariants: the client's own process starts no driver here; a child that is waited for is ended at
// the limit; the client may have its own handler of SIGCHLD, so the answer is what g6probe wrote,
// and the exit status only explains why it wrote nothing.
#pragma once

#include <string>

namespace g6 {

struct DriverProbe {
    bool answered = false;  // false: g6probe is not there or cannot be started; nothing is known
    std::string trouble;    // why the driver must not be started here; "": it may
    bool gpu = false;       // it has a GPU

    bool good() const { return answered && trouble.empty(); }
};

constexpr double kProbeSeconds = 60;  // a driver may look for its devices on a slow bus

// program: g6probe; file: that of the backend.  Throws std::bad_alloc when memory or processes are
// short, which says nothing of the driver.
DriverProbe probe_driver(const std::string &program, const std::string &file,
                         double seconds = kProbeSeconds);

// What g6probe writes last, before it ends: all else is the driver's own.
constexpr const char *kProbeAnswer = "g6probe: started, ";
constexpr const char *kProbeGpu = "with a GPU", *kProbeNoGpu = "without a GPU";

}  // namespace g6
