// SPDX-License-Identifier: MIT
// Tries a driver in a process of its own before the client's process starts that driver.  Some
// drivers abort the program that starts them: an OpenCL driver whose constructor fails, or PoCL on
// a machine without /sys.  The library therefore runs the program g6probe, which lies beside the
// backends.  g6probe starts the driver and writes one line that says how this went.
// Invariants: the functions here start no driver in the client's process.  They kill a g6probe that
// takes longer than the time limit.  They decide by the line that g6probe wrote and not by its exit
// status, since a client with a handler of SIGCHLD may have collected that status itself; the
// status only explains why the line is missing.
#pragma once

#include <string>

namespace g6 {

struct DriverProbe {
    bool answered = false;  // false: g6probe cannot be started; nothing is known of the driver
    std::string trouble;    // why the driver must not be started here; "": it may
    bool gpu = false;       // the driver has a GPU

    bool good() const { return answered && trouble.empty(); }
};

constexpr double kProbeSeconds = 60;  // a driver may look for its devices on a slow bus

// program: the path of g6probe; file: the path of the backend.  Throws std::bad_alloc when memory
// or processes are short, which says nothing about the driver.
DriverProbe probe_driver(const std::string &program, const std::string &file,
                         double seconds = kProbeSeconds);

// The line that g6probe writes last begins so; every other line comes from the driver.
constexpr const char *kProbeAnswer = "g6probe: started, ";
constexpr const char *kProbeGpu = "with a GPU", *kProbeNoGpu = "without a GPU";

}  // namespace g6
