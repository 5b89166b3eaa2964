// SPDX-License-Identifier: MIT
// The sums of a block on their way to the host.
//
// Kernels write a few sums straight to pinned memory and raise a flag there, which the host
// watches: that costs less than a driver call.  Many sums go to device memory, from where one copy
// brings them.
#pragma once

#include "kernels.h"
#include "memory.h"

namespace g6::cuda {

class Results {
public:
    Results(Stream &stream, DeviceCounters &counters);

    // Whether the sums of ni i-particles may be watched for.
    static bool few_enough(int ni) { return ni <= 512; }
    // Room for the sums of a block.  watched: its last kernel raises flag() to sequence().
    void begin(int ni, bool watched);
    // Where the kernels write the sums.
    G6Sums *out() const { return watched_ ? sums_.device() : device_sums_.get(); }
    // Null when nobody watches it.
    unsigned *flag() const { return watched_ ? flag_.device() : nullptr; }
    unsigned sequence() const { return sequence_; }
    // Brings the sums to the host once the kernels that were launched so far have ended.
    void send();
    void wait();
    // Those that came; they stay until the next begin().
    const G6Sums *sums() const { return sums_.host(); }

private:
    Stream &stream_;
    DeviceCounters &counters_;
    DeviceArray<G6Sums> device_sums_;
    MappedArray<G6Sums> sums_;
    MappedArray<unsigned> flag_;
    unsigned sequence_ = 0;
    int ni_ = 0;
    bool watched_ = false;
};

}  // namespace g6::cuda
