// SPDX-License-Identifier: MIT
#include "neighbour_lists.h"

#include <algorithm>
#include <utility>

namespace g6::cuda {

void NeighbourLists::take(Hit *hit, unsigned n, int ni)
{
    clear(ni);
    std::sort(hit, hit + n,
              [](const Hit &a, const Hit &b) { return a.i != b.i ? a.i < b.i : a.slot < b.slot; });
    host_index_.need(std::max(n, 1u));
    host_slot_.need(std::max(n, 1u));
    for (unsigned k = 0; k < n; k++) {
        host_index_.host()[k] = hit[k].index;
        host_slot_.host()[k] = hit[k].slot;
        host_offset_[static_cast<size_t>(hit[k].i) + 1]++;
    }
    for (size_t i = 0; i < static_cast<size_t>(ni); i++) host_offset_[i + 1] += host_offset_[i];
}

void NeighbourLists::search(const Request &r, bool own, const JMemory &j, const Predicted &p,
                            const IMemory &i)
{
    const ListRequest list{r.ni, r.nj, own, list_plan(r.ni, r.nj)};
    const int slices = list.plan.slices;
    kept_.need(static_cast<size_t>(r.ni) * static_cast<size_t>(slices) * kListKept);
    make(
        r.ni, slices,
        [&](int *counts) { launch_count(stream_, list, j, p, i, counts, kept_.get()); },
        [&](const long long *offset, int *index, int *slot) {
            launch_fill(stream_, list, j, p, i, offset, kept_.get(), index, slot);
        });
}

// Room for the counts and one zero behind them, whose offset is the number of all entries.
int *NeighbourLists::begin(int ni, int slices)
{
    const size_t n = static_cast<size_t>(ni) * static_cast<size_t>(slices);
    count_.need(n + 1);
    offset_.need(n + 1);
    check(cudaMemsetAsync(count_.get() + n, 0, sizeof(int), stream_), "list lengths");
    return count_.get();
}

// Offset of each list, and of the end.
void NeighbourLists::find_offsets(int ni, int slices)
{
    const long long counts = static_cast<long long>(ni) * slices + 1;
    scan_space_.need(scan_bytes(counts));
    launch_scan(stream_, scan_space_.get(), scan_space_.capacity(), count_.get(), offset_.get(),
                counts);
    check(cudaMemcpy2DAsync(host_offset_.data(), 8, offset_.get(), 8 * static_cast<size_t>(slices),
                            8, host_offset_.size(), cudaMemcpyDeviceToHost, stream_),
          "list lengths");
    check(cudaStreamSynchronize(stream_), "list lengths");
    const size_t room = static_cast<size_t>(std::max<std::int64_t>(host_offset_.back(), 1));
    index_.need(room);
    slot_.need(room);
    host_index_.need(room);
    host_slot_.need(room);
}

void NeighbourLists::fetch()
{
    const size_t bytes = static_cast<size_t>(host_offset_.back()) * sizeof(int);
    check(cudaMemcpyAsync(host_index_.host(), index_.get(), bytes, cudaMemcpyDeviceToHost, stream_),
          "lists");
    check(cudaMemcpyAsync(host_slot_.host(), slot_.get(), bytes, cudaMemcpyDeviceToHost, stream_),
          "lists");
    check(cudaStreamSynchronize(stream_), "lists");
    counters_.copies_down += 2;
    counters_.waits += 2;
}

void NeighbourLists::sort()
{
    std::vector<std::pair<int, int>> list;
    for (size_t i = 0; i + 1 < host_offset_.size(); i++) {
        const std::int64_t first = host_offset_[i], last = host_offset_[i + 1];
        list.clear();
        for (std::int64_t k = first; k < last; k++)
            list.emplace_back(host_slot_.host()[k], host_index_.host()[k]);
        std::sort(list.begin(), list.end());
        for (std::int64_t k = first; k < last; k++) {
            const auto &entry = list[static_cast<size_t>(k - first)];
            host_slot_.host()[k] = entry.first;
            host_index_.host()[k] = entry.second;
        }
    }
}

}  // namespace g6::cuda
