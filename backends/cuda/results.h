// SPDX-License-Identifier: MIT
// The sums of a block on their way to the host: begin(), the kernels, send(), wait(), sums().
//
// Few sums are watched for: kernels write them straight to pinned memory and raise a flag there,
// which the host watches.  That costs less than a driver call.  Many sums go to device memory, and
// one copy brings them to the host.
#pragma once

#include "kernels.h"
#include "memory.h"

namespace g6::cuda {

class Results {
public:
    Results(Stream &stream, DeviceCounters &counters);

    // Whether watching for the sums of ni i-particles costs less than a copy.
    static bool few_enough(int ni) { return ni <= 512; }
    // Makes room for the sums of a block.  watched: its last kernel sets *flag() to sequence() when
    // the host can read all sums.
    void begin(int ni, bool watched);
    // The same for forces, which are copied.
    void begin_forces(int ni);
    // Where the kernels write the sums.
    G6Sums *out() const { return watched_ ? sums_.device() : device_sums_.get(); }
    // Where they write forces instead; null: there are sums.
    G6Force *forces_out() const { return has_forces_ ? device_forces_.get() : nullptr; }
    // Null when the sums are copied.
    unsigned *flag() const { return watched_ ? flag_.device() : nullptr; }
    unsigned sequence() const { return sequence_; }
    // Queues the copy behind the kernels, unless the sums are watched for.
    void send();
    void wait();
    // The sums that wait() has waited for; they stay until the next begin().
    SumsView sums() const
    {
        if (has_forces_) return {nullptr, forces_.host()};
        return {sums_.host(), nullptr};
    }

private:
    Stream &stream_;
    DeviceCounters &counters_;
    template <class T> void copy(const MappedArray<T> &to, const DeviceArray<T> &from);

    DeviceArray<G6Sums> device_sums_;
    MappedArray<G6Sums> sums_;
    DeviceArray<G6Force> device_forces_;
    MappedArray<G6Force> forces_;
    MappedArray<unsigned> flag_;
    unsigned sequence_ = 0;
    int ni_ = 0;
    bool watched_ = false, has_forces_ = false;
};

}  // namespace g6::cuda
