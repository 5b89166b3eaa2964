// SPDX-License-Identifier: MIT
// Launches the kernels that count the entries of the lists, add up the counts to offsets (a prefix
// sum), and write the entries; then copies the lists to the host.
#include "neighbour_lists.h"

#include <algorithm>

namespace g6::cuda {

void DeviceLists::fill(Hit *hit, unsigned n, int ni)
{
    lists_ = static_cast<size_t>(ni);
    host_offset_.need(lists_ + 1);
    std::fill_n(host_offset_.host(), lists_ + 1, 0);
    std::sort(hit, hit + n,
              [](const Hit &a, const Hit &b) { return a.i != b.i ? a.i < b.i : a.slot < b.slot; });
    host_index_.need(std::max(n, 1u));
    host_slot_.need(std::max(n, 1u));
    for (unsigned k = 0; k < n; k++) {
        host_index_.host()[k] = hit[k].index;
        host_slot_.host()[k] = hit[k].slot;
        host_offset_.host()[hit[k].i + 1]++;
    }
    for (size_t i = 0; i < lists_; i++) host_offset_.host()[i + 1] += host_offset_.host()[i];
}

void DeviceLists::begin_search(const Request &r, const JParticles &j, const IMemory &i)
{
    const gpu::ListPlan plan = gpu::list_plan(r.ni, r.nj, kListShape);
    kept_.need(static_cast<size_t>(r.ni) * static_cast<size_t>(plan.slices) *
               static_cast<size_t>(plan.kept));
    reserve_counts(r.ni, plan.slices);
    search_ = {r.ni,        r.nj,          plan.slices,   plan.length, r.own_in_lists,
               plan.kept,   j.memory(),    j.predicted(), i,           count_.get(),
               kept_.get(), offset_.get(), nullptr,       nullptr};
    per_lane_ = plan.per_lane;
    launch_lists(stream_, search_, per_lane_, false);
    find_offsets(r.ni, plan.slices);
    begun_ = true;
}

void DeviceLists::drop_search()
{
    if (!begun_) return;
    begun_ = false;
    check(cudaStreamSynchronize(stream_), "list lengths");
}

void DeviceLists::search(const Request &r, const JParticles &j, const IMemory &i)
{
    if (!begun_) begin_search(r, j, i);
    begun_ = false;
    wait_for_offsets();
    if (entries() == 0) return;
    search_.index = index_.get();
    search_.slot = slot_.get();
    launch_lists(stream_, search_, per_lane_, true);
    fetch();
}

// Memory for the counts and one zero behind them, whose offset is the number of all entries.
int *DeviceLists::reserve_counts(int ni, int slices)
{
    const size_t n = static_cast<size_t>(ni) * static_cast<size_t>(slices);
    count_.need(n + 1);
    offset_.need(n + 1);
    check(cudaMemsetAsync(count_.get() + n, 0, sizeof(int), stream_), "list lengths");
    return count_.get();
}

// Forms offsets by a prefix sum of the counts, and queues the copy of the lists' offsets and of the
// number of all entries to the host.
void DeviceLists::find_offsets(int ni, int slices)
{
    const long long counts = static_cast<long long>(ni) * slices + 1;
    scan_space_.need(scan_bytes(counts));
    launch_scan(stream_, scan_space_.get(), scan_space_.capacity(), count_.get(), offset_.get(),
                counts);
    lists_ = static_cast<size_t>(ni);
    host_offset_.need(lists_ + 1);
    check(cudaMemcpy2DAsync(host_offset_.host(), 8, offset_.get(), 8 * static_cast<size_t>(slices),
                            8, lists_ + 1, cudaMemcpyDeviceToHost, stream_),
          "list lengths");
}

// Waits for the offsets, and reserves memory for all entries.
void DeviceLists::wait_for_offsets()
{
    check(cudaStreamSynchronize(stream_), "list lengths");
    const size_t n = static_cast<size_t>(std::max<std::int64_t>(entries(), 1));
    index_.need(n);
    slot_.need(n);
    host_index_.need(n);
    host_slot_.need(n);
}

void DeviceLists::fetch()
{
    if (entries() == 0) return;
    const size_t bytes = static_cast<size_t>(entries()) * sizeof(int);
    check(cudaMemcpyAsync(host_index_.host(), index_.get(), bytes, cudaMemcpyDeviceToHost, stream_),
          "lists");
    check(cudaMemcpyAsync(host_slot_.host(), slot_.get(), bytes, cudaMemcpyDeviceToHost, stream_),
          "lists");
    check(cudaStreamSynchronize(stream_), "lists");
    counters_.copies_down += 2;
    counters_.waits += 2;
}

}  // namespace g6::cuda
