// SPDX-License-Identifier: MIT
// The OpenCL devices of this machine, and an Engine for each device in use: its context and its
// built programs, shared by all Device objects of the process.
//
// Invariants
//  * Devices are numbered over all platforms, GPUs first, processors last: device 0 is the natural
//    choice.
//  * The list of Engines is never destroyed, because drivers may end before it when the process
//    ends.  The Engine of a device that was lost, or could not be opened, leaves the list, and the
//    next call of Engine::of() makes a new one.
//  * An Engine builds a program once for each set of options; drivers keep built programs on disk.
#pragma once

#include "memory.h"
#include "text.h"
#include "../gpu/tile.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace g6::opencl {

struct Hardware {
    cl_platform_id platform;
    cl_device_id id;
    std::string name, driver, platform_name, platform_version;
    bool is_cpu, fp64;
    bool nvidia;  // a GPU of NVIDIA
    int compute_units;
    size_t max_group, local_bytes;
    unsigned long long memory_bytes, largest_allocation;
    bool takes_turns;  // PoCL before version 6: see Queue
};

// The devices, which the first call looks for.  *reason: why there are none.
const std::vector<Hardware> &all_hardware(std::string *reason = nullptr);

class Engine {
public:
    // The Engine that all users of this device share.  Throws ClError.
    static std::shared_ptr<Engine> of(int number);
    static void forget(int number);

    explicit Engine(const Hardware &hardware);
    const Hardware &hardware() const { return hardware_; }
    cl_context context() const { return context_.get(); }

    // A kernel of this text, built with these options.  Throws ClError with a line of the
    // compiler's log.
    Kernel kernel(const KernelText &text, const std::string &options, const char *name);

    // The compiler's options that all programs of this device share (prelude.cl), followed by those
    // of `more`.  fp64: the kernels may use doubles.
    std::string base_options(bool fp64, const std::string &more) const;

    // Whether the device computes what the kernels rely on (check.cpp): correctly rounded
    // differences in source order, fused multiply-adds, doubles split into floats, and predicted
    // positions.  Throws ClError with the reason when programs with these options would compute
    // wrongly.  Returns whether native_rsqrt() needs a Newton step.
    bool require_exactness(bool fp64, const std::string &options);

private:
    // What a test of exactness has found, for all later devices with the same options.
    struct Verdict {
        bool known = false;
        bool newton = false;  // native_rsqrt() needs a Newton step
        std::string reason;   // why the device may not compute; "": it may
    };
    cl_program program(const KernelText &text, const std::string &options);
    Program build(const KernelText &text, const std::string &options);
    std::string build_log(cl_program program) const;

    const Hardware hardware_;
    Context context_;
    std::mutex mutex_;
    std::map<std::string, Program> programs_;
    std::map<std::string, Verdict> verdicts_;
    std::mutex verdict_mutex_;
};

// How a device object builds its kernels.
struct KernelMaker {
    std::shared_ptr<Engine> engine;
    std::string options;  // that all its programs share

    Kernel make(const KernelText &text, const char *name, const std::string &more = "") const
    {
        return engine->kernel(text, options + more, name);
    }
};

}  // namespace g6::opencl
