// SPDX-License-Identifier: MIT
// The neighbour lists of a block: counted, then filled on the device in memory that grows, and
// copied to the host; or sorted here from entries that came with the sums.
#pragma once

#include "kernels.h"
#include "memory.h"

#include <cstdint>
#include <vector>

namespace g6::cuda {

class NeighbourLists {
public:
    NeighbourLists(Stream &stream, DeviceCounters &counters) : stream_(stream), counters_(counters)
    {
    }

    // ni empty lists.
    void clear(int ni) { host_offset_.assign(static_cast<size_t>(ni) + 1, 0); }
    // From n entries in no order, which it puts in order.
    void take(Hit *hit, unsigned n, int ni);
    // By a search through all j-particles.  own: with entries of the i-particle's own index.
    void search(const Request &r, bool own, const JMemory &j, const Predicted &p, const IMemory &i);
    // By count(int *counts) and fill(const long long *offset, int *index, int *slot), which launch
    // kernels: counts [ni][slices], then, with their offsets, the entries.
    template <class Count, class Fill> void make(int ni, int slices, Count &&count, Fill &&fill)
    {
        clear(ni);
        count(begin(ni, slices));
        find_offsets(ni, slices);
        fill(offset_.get(), index_.get(), slot_.get());
        fetch();
    }
    // Puts the entries of each list in the order of slots.
    void sort();
    NeighbourView view() const
    {
        return {host_offset_.data(), host_index_.host(), host_slot_.host()};
    }

private:
    int *begin(int ni, int slices);
    void find_offsets(int ni, int slices);
    void fetch();

    Stream &stream_;
    DeviceCounters &counters_;
    DeviceArray<int> count_;
    DeviceArray<long long> offset_;
    DeviceArray<char> scan_space_;
    DeviceArray<int> index_, slot_;
    MappedArray<int> host_index_, host_slot_;
    std::vector<std::int64_t> host_offset_;
};

}  // namespace g6::cuda
