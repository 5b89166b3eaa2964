// SPDX-License-Identifier: MIT
// The sums of a block on their way to the host: begin(), the kernels, send(), wait(), sums().
//
// Sums reach the host in one of three ways:
//  * Few sums: kernels write them to pinned memory, and then set a word there, which the host
//    watches; the kernel of few.h sends its sums in words that the host watches one by one.
//    Watching memory costs less than a call of the driver.
//  * A walk that D devices share: the i-particles of one device may be anywhere in the block.
//    Where all devices are linked, the block is cut into D ranges.  Each device writes its sums
//    over the links, those of range k to the memory of device k, which then copies range k to
//    pinned memory.  Where they are not all linked, each device writes its sums straight to pinned
//    memory (deliver.cu).
//  * All other sums go to device memory, and one copy brings them to pinned memory.
// The home is the Results object of the leader.  Its pinned memory has the sums of the whole block.
#pragma once

#include "kernels.h"
#include "memory.h"

namespace g6::cuda {

class Results {
public:
    Results(Stream &stream, DeviceCounters &counters);

    // Whether watching for the sums of ni i-particles costs less than a copy.
    static bool may_be_watched(int ni) { return ni <= 2048; }
    // Of the next block, which has whole_ni sums, this device's sums go to the memory of `home`,
    // where they begin with number `first`.  The home's begin() comes before that of other devices.
    void go_to(Results &home, int first, int whole_ni)
    {
        home_ = &home;
        first_ = first;
        whole_ni_ = whole_ni;
    }
    // Reserves memory for a block's sums, or for its forces.  watched: its last kernel sets *flag()
    // to sequence() when the host can read all sums.
    void begin(int ni, bool watched, bool forces = false);
    // Where the kernels write the sums.
    SumsMemory out() const
    {
        return watched_ ? SumsMemory{as_sums(home_->host_.device()) + first_} : memory_at(words());
    }
    // The same memory as the host reads it, in a block that is watched.
    G6Sums *host_out() const { return as_sums(home_->host_.host()) + first_; }
    // Null unless the host watches for the sums.
    unsigned *flag() const { return watched_ ? flag_.device() : nullptr; }
    unsigned sequence() const { return sequence_; }
    // Queues the copy of the sums behind the kernels, unless the host watches for the sums.
    void send();
    // Queues, behind the kernels of a walk, the delivery of the sums of the i-particles
    // order[0 ... n-1].
    void deliver(const int *order, int n, const Destinations &to);
    void deliver_to_host(const int *order, int n);
    // The sums of a walk in device memory, where other devices may deliver theirs.
    double *words() const { return device_.get(); }
    // The event behind the kernel of deliver(), for which other streams wait.
    const Event &delivered() const { return delivered_; }
    // Queues the copy of sums number first ... end-1 to the host.
    void send(int first, int end);
    // Waits until no device of the block writes to the home's memory.
    void synchronize_home() { home_->stream_.synchronize(); }
    void wait();
    // On the home, once all devices have waited: the sums of the whole block, until the next
    // begin().
    SumsMemory sums() const { return memory_at(host_.host()); }

private:
    static G6Sums *as_sums(double *words) { return reinterpret_cast<G6Sums *>(words); }
    SumsMemory memory_at(double *words) const
    {
        if (words_ == kSumsWords) return {as_sums(words)};
        return {nullptr, reinterpret_cast<G6Force *>(words)};
    }
    void copy(int to, int from, int n);

    Stream &stream_;
    DeviceCounters &counters_;

    Results *home_ = this;
    int first_ = 0, whole_ni_ = 0;

    int words_ = kSumsWords;  // of the sums of an i-particle, or kForceWords
    DeviceArray<double> device_;
    MappedArray<double> host_;
    MappedArray<unsigned> flag_;
    Event delivered_, sent_;
    unsigned sequence_ = 0;
    int ni_ = 0;
    bool watched_ = false;  // then kernels write to the home's memory
    bool is_sent_ = false;  // sent_ is behind all that the block has launched for its sums
};

}  // namespace g6::cuda
