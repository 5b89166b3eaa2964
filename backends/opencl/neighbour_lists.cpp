// SPDX-License-Identifier: MIT
// Launches the kernels of lists.cl that count the entries, find where each list starts, and write them, and brings offsets and
// entries to the host.
#include "neighbour_lists.h"

namespace g6::opencl {

const Kernel &DeviceLists::kernel(Kernel &kernel, const char *name, int per_item)
{
    if (!kernel)
        kernel = maker_.make(kListsText, name,
                             list_options(shape_) + " -DG6_LIST_PER=" + std::to_string(per_item));
    return kernel;
}

void DeviceLists::count(const ListSearch &s, const gpu::ListPlan &plan)
{
    const size_t ni = static_cast<size_t>(s.ni), slices = static_cast<size_t>(plan.slices),
                 items = static_cast<size_t>(shape_.lanes);
    count_memory_.need(queue_, ni * slices * 4);
    kept_.need(queue_, ni * slices * static_cast<size_t>(plan.kept) * 4);
    length_.need(queue_, ni * 4);
    const bool many = plan.per_lane == shape_.many;
    const Kernel &count = kernel(count_[many], "list_count", plan.per_lane);
    set_args(count.get(), s.nj, s.ni, plan.slices, plan.length, cl_int{s.own}, s.capacity,
             plan.kept, s.ids, s.positions, s.i_values, s.i_index, count_memory_.get(),
             kept_.get());
    queue_.run(count, static_cast<size_t>(plan.groups), items, slices);
    const Kernel &starts = kernel(starts_, "list_starts", shape_.few);
    set_args(starts.get(), plan.slices, count_memory_.get(), length_.get());
    queue_.run(starts, ni, items);
}

// Launches the kernel that forms the offsets and, where memory for entries is reserved, the kernel that
// writes them.
void DeviceLists::fill(const ListSearch &s, const gpu::ListPlan &plan)
{
    const size_t items = static_cast<size_t>(shape_.lanes);
    const Kernel &offsets = kernel(offsets_, "list_offsets", shape_.few);
    set_args(offsets.get(), s.ni, length_.get(), out_.get());
    queue_.run(offsets, 1, items);
    if (capacity_ == 0) return;
    const bool many = plan.per_lane == shape_.many;
    const Kernel &fill = kernel(fill_[many], "list_fill", plan.per_lane);
    set_args(fill.get(), s.nj, s.ni, plan.slices, plan.length, cl_int{s.own}, s.capacity, plan.kept,
             s.ids, s.positions, s.i_values, s.i_index, count_memory_.get(), kept_.get(),
             static_cast<cl_long>(capacity_), out_.get());
    queue_.run(fill, static_cast<size_t>(plan.groups), items, static_cast<size_t>(plan.slices));
}

// Queues all that follows the counting, with memory for so many entries: offsets, entries, and their
// transfer.
void DeviceLists::fetch(const ListSearch &s, const gpu::ListPlan &plan, size_t capacity)
{
    lists_ = static_cast<size_t>(s.ni);
    capacity_ = capacity;
    const size_t bytes = 8 * (lists_ + 1) + 8 * capacity;
    out_.need(queue_, bytes);
    host_.need(queue_, bytes);
    fill(s, plan);
    queue_.read(host_.host(), out_, bytes);
    queue_.flush();
}

// A guess of the entries of ni lists, by the mean of the last search.  0 where the guess is large:
// such lists are fetched once their number of entries is known.
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
    begun_ = true;
    count(s, plan);
    fetch(s, plan, capacity_ahead(static_cast<size_t>(s.ni)));
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
    drop();
    const size_t entries = static_cast<size_t>(offset()[lists_]);
    mean_ = static_cast<double>(entries) / static_cast<double>(lists_);
    if (entries <= capacity_) return;
    fetch(s, gpu::list_plan(s.ni, s.nj, shape_), entries);
    queue_.finish();
}

NeighbourView DeviceLists::view() const
{
    const int *index = reinterpret_cast<const int *>(offset() + lists_ + 1);
    return {offset(), index, index + capacity_};
}

}  // namespace g6::opencl
