// SPDX-License-Identifier: MIT
// Runs work in a child process, which may crash or hang: the parent never calls the library.
#pragma once

#include "session.h"

#include <algorithm>

namespace g6fuzz {

// How a sequence ended.
struct Ending {
    std::string wrong;       // "" when all was right
    std::string name;        // of the call at which it was not
    long call = 0;           // its number
    std::uint64_t seed = 0;  // of the run it belongs to
    // What stays the same when a sequence is made shorter: the call and the kind of complaint.
    std::string kind() const;
};

struct Limits {
    double memory = 0;    // bytes of address space; 0: as it is
    double silence = 60;  // seconds without a call
};

// What child and parent share.
struct Shared {
    long made[kOps][kForms];  // of each call and form
    volatile long calls, in_run;
    volatile std::uint64_t seed;
    volatile int op, form;
    char wrong[2000];
};

class Processes {
public:
    Processes(World world, const Limits &limits);
    // How often each call was made.
    const long (&made() const)[kOps][kForms] { return shared_->made; }
    // Of sequences that hang there are many to try.
    void shorten_silence() { limits_.silence = std::min(limits_.silence, 4.0); }

    struct Batch {
        std::uint64_t seed;
        int runs, calls;
        std::string record;  // a file for the calls; "": none
    };
    Ending run(const Batch &batch, const Features &features);
    Ending replay(const std::vector<Call> &calls);

private:
    using Work = std::function<std::string(Session &)>;
    Ending child(const Work &work, const std::string &record);
    [[noreturn]] void work_and_exit(const Work &work, const std::string &record);

    World world_;
    Limits limits_;
    Shared *shared_;
};

}  // namespace g6fuzz
