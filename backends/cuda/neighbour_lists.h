// SPDX-License-Identifier: MIT
// The neighbour lists of a block, in memory that grows.  Kernels count the entries, then write
// them, and the host copies them.  The entries of few i-particles come with the sums instead, and
// the host sorts them into lists.
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

    // Makes ni empty lists.
    void clear(int ni) { host_offset_.assign(static_cast<size_t>(ni) + 1, 0); }
    // Makes ni lists from n entries in any order, which it sorts.
    void take(Hit *hit, unsigned n, int ni);
    // Makes the lists by a search through all j-particles.  own: lists hold the i-particle's own
    // index too.
    void search(const Request &r, bool own, const JMemory &j, const Predicted &p, const IMemory &i);
    // Makes the lists by two functions that launch kernels:
    //     count(int *counts)                                    counts [ni][slices]
    //     fill(const long long *offset, int *index, int *slot)  entries, from these offsets on
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
    DeviceArray<int> count_, kept_;
    DeviceArray<long long> offset_;
    DeviceArray<char> scan_space_;
    DeviceArray<int> index_, slot_;
    MappedArray<int> host_index_, host_slot_;
    std::vector<std::int64_t> host_offset_;
};

}  // namespace g6::cuda
