// SPDX-License-Identifier: MIT
// Neighbour lists of one device: count, place, fill.
#include "device.h"
#include "list_slices.h"

namespace g6::opencl {
namespace {

struct Entry {
    int index, slot;
};

}  // namespace

DeviceStatus OpenClDevice::neighbours(NeighbourView *view)
{
    return attempt("neighbours", [&] {
        const Request &r = request_;
        offset_.assign(static_cast<size_t>(r.ni) + 1, 0);
        list_index_.clear();
        list_slot_.clear();
        if (r.nj > 0 && r.ni > 0) {
            if (walking_)
                walk_->lists(own_in_lists_, offset_, list_index_, list_slot_);
            else
                list_neighbours(r);
        }
        *view = {offset_.data(), list_index_.data(), list_slot_.data()};
    });
}

void OpenClDevice::list_neighbours(const Request &r)
{
    settle();
    constexpr size_t kItems = 64;
    const cl_int length = slice_length(r.ni, r.nj, hardware_.compute_units),
                 slices = (r.nj - 1) / length + 1, own = own_in_lists_;
    const size_t ni = static_cast<size_t>(r.ni), groups = (ni + kItems - 1) / kItems,
                 rows = static_cast<size_t>(slices);
    list_count_.need(queue_, ni * rows * 4);
    list_total_.need(queue_, ni * 4);
    list_offset_.need(queue_, ni * 8);
    const Kernel &count = support(count_, "list_count");
    set_args(count.get(), r.nj, r.ni, length, own, capacity_, ids_.get(), positions(),
             i_values_.get(), i_index_.get(), list_count_.get());
    queue_.run(count, groups, kItems, rows);
    const Kernel &place = support(place_, "list_place");
    set_args(place.get(), r.ni, slices, list_count_.get(), list_total_.get());
    queue_.run(place, groups, kItems);
    list_host_.need(queue_, ni * 4);
    queue_.read(list_host_.host(), list_total_, ni * 4);
    queue_.finish();
    for (size_t n = 0; n < ni; n++)
        offset_[n + 1] = offset_[n] + reinterpret_cast<const int *>(list_host_.host())[n];
    const size_t total = static_cast<size_t>(offset_[ni]);
    if (total == 0) return;
    list_entry_.need(queue_, total * sizeof(Entry));
    list_host_.need(queue_, total * sizeof(Entry));
    queue_.write_now(list_offset_, offset_.data(), ni * 8);
    const Kernel &fill = support(fill_, "list_fill");
    set_args(fill.get(), r.nj, r.ni, length, own, capacity_, ids_.get(), positions(),
             i_values_.get(), i_index_.get(), list_count_.get(), list_offset_.get(),
             list_entry_.get());
    queue_.run(fill, groups, kItems, rows);
    queue_.read(list_host_.host(), list_entry_, total * sizeof(Entry));
    queue_.finish();
    unpack_lists(r);
}

// Without doubles the device listed a little more than was asked for.
void OpenClDevice::unpack_lists(const Request &r)
{
    const auto *entry = reinterpret_cast<const Entry *>(list_host_.host());
    const double area = r.scale.length * r.scale.length;
    std::int64_t first = 0;
    for (size_t n = 0; n < static_cast<size_t>(r.ni); n++) {
        const std::int64_t last = offset_[n + 1];
        for (std::int64_t e = first; e < last; e++) {
            if (!fp64_ && !(host_.distance2(i_[n], entry[e].slot) < i_[n].h2 * area)) continue;
            list_index_.push_back(entry[e].index);
            list_slot_.push_back(entry[e].slot);
        }
        offset_[n + 1] = static_cast<std::int64_t>(list_index_.size());
        first = last;
    }
}

}  // namespace g6::opencl
