// SPDX-License-Identifier: MIT
// Launches the kernels of lists.cl, which count the entries, find where each list starts and write
// the entries, and then brings offsets and entries to the host.
#include "neighbour_lists.h"

namespace g6::opencl {

const Kernel &DeviceLists::kernel(Kernel &kernel, const char *name, int per_item, bool fill)
{
    if (!kernel)
        kernel = maker_.make(kListsText, name,
                             list_options(shape_) + " -DG6_LIST_PER=" + std::to_string(per_item) +
                                 " -DG6_LIST_FILL=" + std::to_string(fill));
    return kernel;
}

// Launches the pass that counts the entries, or the one that writes them.
void DeviceLists::run_pass(const ListSearch &s, const gpu::ListPlan &plan, bool fill)
{
    const bool many = plan.per_lane == shape_.many;
    const Kernel &k = kernel(pass_[many][fill], "list_pass", plan.per_lane, fill);
    set_args(k.get(), s.nj, s.ni, plan.slices, plan.length, cl_int{s.own}, s.capacity, plan.kept,
             s.ids, s.positions, s.i_values, s.i_index, count_memory_.get(), kept_.get(),
             static_cast<cl_long>(capacity_), out_.get());
    queue_.run(k, static_cast<size_t>(plan.groups), static_cast<size_t>(shape_.lanes),
               static_cast<size_t>(plan.slices));
}

// Reserves memory for the offsets and so many entries.
void DeviceLists::reserve(const ListSearch &s, size_t capacity)
{
    lists_ = static_cast<size_t>(s.ni);
    capacity_ = capacity;
    const size_t bytes = 8 * (lists_ + 1) + 8 * capacity;
    out_.need(queue_, bytes);
    host_.need(queue_, bytes);
}

// Queues the steps after the counts: makes offsets, writes entries if memory is reserved for them,
// and transfers both.
void DeviceLists::fetch(const ListSearch &s, const gpu::ListPlan &plan)
{
    const Kernel &offsets = kernel(offsets_, "list_offsets", shape_.few);
    set_args(offsets.get(), s.ni, length_.get(), out_.get());
    queue_.run(offsets, 1, static_cast<size_t>(shape_.lanes));
    if (capacity_ > 0) run_pass(s, plan, true);
    arrived_ = queue_.read(host_.host(), out_, 8 * (lists_ + 1) + 8 * capacity_);
    queue_.flush();
}

// A guess of the entries of ni lists, from the mean length in the last search.  0 if it is large:
// memory is then reserved when the number of entries is known.
size_t DeviceLists::capacity_ahead(size_t ni) const
{
    constexpr double kMargin = 1.25, kSome = 256, kMost = 1 << 20;
    const double wanted = kMargin * mean_ * static_cast<double>(ni) + kSome;
    return wanted <= kMost ? static_cast<size_t>(wanted) : 0;
}

void DeviceLists::begin(const ListSearch &s)
{
    drop();
    const gpu::ListPlan plan = gpu::list_plan(s.ni, s.nj, shape_);
    const size_t ni = static_cast<size_t>(s.ni), counts = ni * static_cast<size_t>(plan.slices);
    begun_ = true;
    count_memory_.need(queue_, counts * 4);
    kept_.need(queue_, counts * static_cast<size_t>(plan.kept) * 4);
    length_.need(queue_, ni * 4);
    reserve(s, capacity_ahead(ni));
    run_pass(s, plan, false);
    const Kernel &starts = kernel(starts_, "list_starts", shape_.few);
    set_args(starts.get(), plan.slices, count_memory_.get(), length_.get());
    queue_.run(starts, ni, static_cast<size_t>(shape_.lanes));
    fetch(s, plan);
}

void DeviceLists::drop()
{
    if (!begun_) return;
    begun_ = false;
    queue_.finish();
}

void DeviceLists::search(const ListSearch &s)
{
    if (!begun_) begin(s);
    begun_ = false;
    queue_.wait(arrived_);
    const size_t entries = static_cast<size_t>(offset()[lists_]);
    mean_ = static_cast<double>(entries) / static_cast<double>(lists_);
    if (entries <= capacity_) return;
    reserve(s, entries);
    fetch(s, gpu::list_plan(s.ni, s.nj, shape_));
    queue_.wait(arrived_);
}

NeighbourView DeviceLists::view() const
{
    const int *index = reinterpret_cast<const int *>(offset() + lists_ + 1);
    return {offset(), index, index + capacity_};
}

}  // namespace g6::opencl
