// SPDX-License-Identifier: MIT
// The neighbour lists of a direct sum on one device (lists.cl).  The device counts the entries,
// makes offsets and writes the entries behind them; one transfer brings offsets and entries.
//
// Memory for the entries is reserved before their number is known, as much as the lists of the last
// search needed on average.  Where this is too little, larger memory is reserved, and the device
// writes all entries a second time.
//
// The search may be queued right after the sums of a block, before the client asks for lists.  If
// the client never asks, drop() waits for the search before the next block starts.
#pragma once

#include "engine.h"
#include "shapes.h"
#include "../gpu/list_plan.h"
#include "../../libg6gpu/backend.h"

namespace g6::opencl {

struct ListSearch {
    int ni, nj;
    bool own;  // lists hold the i-particle's own index too
    int capacity;
    const Memory &ids, &positions, &i_values, &i_index;
};

class DeviceLists {
public:
    DeviceLists(const KernelMaker &maker, Queue &queue, const gpu::ListShape &shape)
        : maker_(maker), queue_(queue), shape_(shape)
    {
    }

    // Queues the search of a block.
    void begin(const ListSearch &s);
    // Waits for a search that was begun but that search() has not collected.
    void drop();
    // Makes the lists of the search that was begun, or else of a new one.
    void search(const ListSearch &s);
    // Of the last search.  The arrays stay until the next begin().
    NeighbourView view() const;

private:
    const Kernel &kernel(Kernel &kernel, const char *name, int per_item, bool fill = false);
    void reserve(const ListSearch &s, std::size_t capacity);
    void run_pass(const ListSearch &s, const gpu::ListPlan &plan, bool fill);
    void fetch(const ListSearch &s, const gpu::ListPlan &plan);
    std::size_t capacity_ahead(std::size_t ni) const;
    const std::int64_t *offset() const
    {
        return reinterpret_cast<const std::int64_t *>(host_.host());
    }

    const KernelMaker &maker_;
    Queue &queue_;
    const gpu::ListShape shape_;
    Kernel pass_[2][2], starts_, offsets_;  // few or many i-particles; count or fill

    DeviceBuffer count_memory_, kept_, length_, out_;
    PinnedBuffer host_;  // offsets, indices, slots
    Event arrived_;      // the end of the transfer to host_
    std::size_t lists_ = 0, capacity_ = 0;
    double mean_ = 32;  // entries of a list of the last search
    bool begun_ = false;
};

}  // namespace g6::opencl
