// SPDX-License-Identifier: MIT
// Neighbour lists of a CUDA device.
#include "device.h"

#include <algorithm>
#include <utility>

namespace g6::cuda {

DeviceStatus CudaDevice::neighbours(NeighbourView *view)
{
    return attempt("neighbours", [&] {
        const Request &r = request_;
        host_offset_.assign(static_cast<size_t>(r.ni) + 1, 0);
        const bool any = r.nj > 0 && r.ni > 0, known = few_ && lists_ && sort_hits(r);
        if (any && !known) list_neighbours(r);
        *view = {host_offset_.data(), host_index_.host(), host_slot_.host()};
    });
}

// The hits that came with the sums, as lists; false when there were too many.
bool CudaDevice::sort_hits(const Request &r)
{
    const unsigned n = flag_.host()[1];
    if (n > kMostHits) return false;
    Hit *hit = host_hits_.host();
    std::sort(hit, hit + n,
              [](const Hit &a, const Hit &b) { return a.i != b.i ? a.i < b.i : a.slot < b.slot; });
    host_index_.need(std::max(n, 1u));
    host_slot_.need(std::max(n, 1u));
    for (unsigned k = 0; k < n; k++) {
        host_index_.host()[k] = hit[k].index;
        host_slot_.host()[k] = hit[k].slot;
        host_offset_[static_cast<size_t>(hit[k].i) + 1]++;
    }
    for (size_t i = 0; i < static_cast<size_t>(r.ni); i++) host_offset_[i + 1] += host_offset_[i];
    return true;
}

// A tree's lists come in the order of the search.
void CudaDevice::sort_lists(int ni)
{
    std::vector<std::pair<int, int>> list;
    for (int i = 0; i < ni; i++) {
        const std::int64_t first = host_offset_[static_cast<size_t>(i)],
                           last = host_offset_[static_cast<size_t>(i) + 1];
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

void CudaDevice::list_neighbours(const Request &r)
{
    if (few_) prepare(r);
    few_ = false;
    const ListRequest list{r.ni, r.nj, own_in_lists_,
                           walked_ ? ListPlan{1, r.nj} : list_plan(r.ni, r.nj)};
    const size_t slices = static_cast<size_t>(list.plan.slices),
                 n = static_cast<size_t>(r.ni) * slices;
    // One more than there are lists: its offset is the number of all entries.
    list_count_.need(n + 1);
    list_offset_.need(n + 1);
    check(cudaMemsetAsync(list_count_.get() + n, 0, sizeof(int), stream_), "list lengths");
    if (walked_)
        tree_.count_lists(stream_, own_in_lists_, list_count_.get());
    else
        launch_count(stream_, list, j_memory(), predicted_, i_, list_count_.get());
    const long long counts = static_cast<long long>(n) + 1;
    scan_space_.need(scan_bytes(counts));
    launch_scan(stream_, scan_space_.get(), scan_space_.capacity(), list_count_.get(),
                list_offset_.get(), counts);
    // Offset of each list, and of the end.
    check(cudaMemcpy2DAsync(host_offset_.data(), 8, list_offset_.get(), 8 * slices, 8,
                            host_offset_.size(), cudaMemcpyDeviceToHost, stream_),
          "list lengths");
    check(cudaStreamSynchronize(stream_), "list lengths");
    const size_t total = static_cast<size_t>(host_offset_.back());
    list_index_.need(std::max<size_t>(total, 1));
    list_slot_.need(std::max<size_t>(total, 1));
    host_index_.need(std::max<size_t>(total, 1));
    host_slot_.need(std::max<size_t>(total, 1));
    if (walked_)
        tree_.fill_lists(stream_, own_in_lists_, list_offset_.get(), list_index_.get(),
                         list_slot_.get());
    else
        launch_fill(stream_, list, j_memory(), predicted_, i_, list_offset_.get(),
                    list_index_.get(), list_slot_.get());
    check(cudaMemcpyAsync(host_index_.host(), list_index_.get(), 4 * total, cudaMemcpyDeviceToHost,
                          stream_),
          "lists");
    check(cudaMemcpyAsync(host_slot_.host(), list_slot_.get(), 4 * total, cudaMemcpyDeviceToHost,
                          stream_),
          "lists");
    check(cudaStreamSynchronize(stream_), "lists");
    if (walked_) sort_lists(r.ni);
    counters_.copies_down += 2;
    counters_.waits += 2;
}

}  // namespace g6::cuda
