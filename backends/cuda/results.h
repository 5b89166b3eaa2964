// SPDX-License-Identifier: MIT
// The sums of a block on their way to the host: begin(), the kernels, send(), wait(), sums().
//
// Sums reach the host in one of three ways:
//  * Few sums: kernels write them to pinned memory and raise a flag there, which the host watches.
//    That costs less than a driver call.
//  * A walk that several devices share: kernels write to pinned memory, and the host waits for the
//    stream.
//  * All others go to device memory, and one copy brings them to pinned memory.
// The home is the Results object of the leader, whose pinned memory has the sums of the whole block.
#pragma once

#include "kernels.h"
#include "memory.h"

namespace g6::cuda {

class Results {
public:
    Results(Stream &stream, DeviceCounters &counters);

    // Whether watching for the sums of ni i-particles costs less than a copy.
    static bool few_enough(int ni) { return ni <= 512; }
    // The sums of the next block go to the memory of these results, from place `first` on of
    // whole_ni.  The home itself begins first.
    void go_to(Results &home, int first, int whole_ni)
    {
        home_ = &home;
        first_ = first;
        whole_ni_ = whole_ni;
    }
    // Makes room for the sums of a block.  watched: its last kernel sets *flag() to sequence() when
    // the host can read all sums.
    void begin(int ni, bool watched);
    // The same for a walk, with forces or sums.  in_place: the kernel writes the sums that it has
    // straight to the home's memory; else it has all, and they are copied.
    void begin_walk(int ni, bool forces, bool in_place);
    // Where the kernels write the sums.
    G6Sums *out() const { return in_place_ ? home_sums_device() : device_sums_.get(); }
    // Where they write forces instead; null: there are sums.
    G6Force *forces_out() const
    {
        if (!has_forces_) return nullptr;
        return in_place_ ? home_->forces_.device() + first_ : device_forces_.get();
    }
    // Null unless the host watches for the sums.
    unsigned *flag() const { return watched_ ? flag_.device() : nullptr; }
    unsigned sequence() const { return sequence_; }
    // Queues the copy behind the kernels, if there is one.
    void send();
    void wait();
    // The sums of the whole block at its home, once all devices have waited; they stay until the
    // next begin.
    SumsView sums() const
    {
        if (has_forces_) return {nullptr, forces_.host()};
        return {sums_.host(), nullptr};
    }

private:
    Stream &stream_;
    DeviceCounters &counters_;
    void make_room(bool forces);
    G6Sums *home_sums_device() const { return home_->sums_.device() + first_; }
    template <class T> void copy(T *to, const DeviceArray<T> &from);

    Results *home_ = this;
    int first_ = 0, whole_ni_ = 0;

    DeviceArray<G6Sums> device_sums_;
    MappedArray<G6Sums> sums_;
    DeviceArray<G6Force> device_forces_;
    MappedArray<G6Force> forces_;
    MappedArray<unsigned> flag_;
    unsigned sequence_ = 0;
    int ni_ = 0;
    bool watched_ = false, has_forces_ = false;
    bool in_place_ = false;  // kernels write to the home's memory
};

}  // namespace g6::cuda
