// SPDX-License-Identifier: MIT
// Writes the calls of this process into the file that G6_TRACE names (format.h).
//
// Invariants
//  * Without G6_TRACE a call costs a test of one pointer.
//  * Each process has a new file of its own; no existing file is written to.  When the name is
//    taken, as by another MPI rank, the file is NAME.PROCESS.  A child of fork() begins a new file.
//  * The call itself, its results and its status are the same with and without a recording.  When
//    the file cannot be written the recording ends, with one line on the log.
//  * A chunk is written when it has 256 KiB, and otherwise by the first call after a pause.  The
//    pause is 32 times as long as the last writing took, or a thousandth of the recording's age (at
//    most a second), whichever is longer.  So writing takes at most 3 % of the time, and a client
//    that is killed loses the calls since the last writing.
#pragma once

#include "fields.h"

#include <atomic>
#include <chrono>

namespace g6::trace {

class Recorder;
// Null: nothing is recorded.  Until the first call has looked at G6_TRACE it is another value.
extern std::atomic<Recorder *> g_recorder;

inline bool on()
{
    return g_recorder.load(std::memory_order_acquire) != nullptr;
}

// One call that is to be recorded: begin(), the call, end(), each once.
class CallRecord {
public:
    // id: any number when flags have kAllCluster.
    CallRecord(Kind kind, int id, unsigned flags) noexcept;
    CallRecord(const CallRecord &) = delete;
    CallRecord &operator=(const CallRecord &) = delete;

    // add(Fields &) adds the arguments to the record; it may throw.
    template <class Add> void begin(Add &&add) noexcept
    {
        if (!recorder_) return;
        try {
            fields_->clear();
            add(*fields_);
            after_inputs();
        } catch (const std::exception &e) {
            give_up(e.what());
        }
    }
    // add(Fields &) adds the results to the record; it may throw.
    template <class Add> void end(int status, Add &&add) noexcept
    {
        if (!recorder_) return;
        try {
            stop_clock();
            add(*fields_);
            write(status);
        } catch (const std::exception &e) {
            give_up(e.what());
        }
    }

private:
    using Clock = std::chrono::steady_clock;
    void after_inputs();
    void stop_clock();
    void write(int status);
    void give_up(const char *why) noexcept;

    Recorder *recorder_;
    Fields *fields_ = nullptr;  // of this thread
    RecordHead head_{};
    std::size_t input_bytes_ = 0;
    Clock::time_point start_;
};

}  // namespace g6::trace
