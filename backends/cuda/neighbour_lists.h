// SPDX-License-Identifier: MIT
// The neighbour lists of a block, in memory that grows.  Kernels count the entries, then write
// them, and the host copies them.  The entries of few i-particles come with the sums instead, and
// the host sorts them into lists.
//
// The counting may be queued right after the sums of a block, before the client asks for lists.  If
// the client never asks, drop_search() waits for the counting before the next block starts.
#pragma once

#include "j_particles.h"

#include <cstdint>

namespace g6::cuda {

class DeviceLists {
public:
    DeviceLists(Stream &stream, DeviceCounters &counters) : stream_(stream), counters_(counters) {}

    // Makes ni lists from n entries in any order, which it sorts.
    void fill(Hit *hit, unsigned n, int ni);
    // Queues the counting of a block's entries.  The j-particles must be predicted.
    void begin_search(const Request &r, const JParticles &j, const IMemory &i);
    // Waits for a counting that search() has not used.
    void drop_search();
    // Makes the lists from the counts of begin_search(), which it calls if needed.
    void search(const Request &r, const JParticles &j, const IMemory &i);
    // Makes the lists by a function that launches kernels:
    //     launch(int *count, nullptr, nullptr, nullptr)                  count [ni]
    //     launch(nullptr, const long long *offset, int *index, int *slot)
    // The second call writes the entries, from these offsets on.
    template <class Launch> void make(int ni, Launch &&launch)
    {
        launch(reserve_counts(ni, 1), nullptr, nullptr, nullptr);
        find_offsets(ni, 1);
        wait_for_offsets();
        launch(nullptr, offset_.get(), index_.get(), slot_.get());
        fetch();
    }
    NeighbourView view() const
    {
        return {host_offset_.host(), host_index_.host(), host_slot_.host()};
    }

private:
    int *reserve_counts(int ni, int slices);
    void find_offsets(int ni, int slices);
    void wait_for_offsets();
    void fetch();
    std::int64_t entries() const { return host_offset_.host()[lists_]; }

    Stream &stream_;
    DeviceCounters &counters_;
    DeviceArray<int> count_, kept_;
    DeviceArray<long long> offset_;
    DeviceArray<char> scan_space_;
    DeviceArray<int> index_, slot_;
    MappedArray<int> host_index_, host_slot_;
    MappedArray<std::int64_t> host_offset_;  // [lists_ + 1]
    size_t lists_ = 0;
    ListSearch search_{};  // the last one
    int per_lane_ = 0;     // ListPlan::per_lane of it
    bool begun_ = false;
};

}  // namespace g6::cuda
