// SPDX-License-Identifier: MIT
// The neighbour lists of a block: those of NeighbourLists, of a walk, or none.
#include "device.h"

namespace g6::opencl {

NeighbourLists &OpenClDevice::lists()
{
    if (!lists_)
        lists_ = std::make_unique<NeighbourLists>(maker_, queue_, list_search_shape(hardware_));
    return *lists_;
}

ListSearch OpenClDevice::list_search(const Request &r) const
{
    return {r.ni, r.nj,        own_in_lists_,   capacity_,
            ids_, positions(), i_values_.get(), i_index_.get()};
}

// Where there is no memory for the search, it is tried again when the client asks for lists.
void OpenClDevice::begin_lists(const Request &r)
{
    try {
        lists().begin(list_search(r));
    } catch (const ClError &e) {
        if (!is_of_memory(e.code)) throw;
        lists().drop();
    }
}

DeviceStatus OpenClDevice::neighbours(NeighbourView *view)
{
    return attempt("neighbours", [&] {
        const Request &r = request_;
        offset_.assign(static_cast<size_t>(r.ni) + 1, 0);
        list_index_.clear();
        list_slot_.clear();
        *view = {offset_.data(), list_index_.data(), list_slot_.data()};
        if (work_ == Work::kNothing) return;
        if (work_ == Work::kWalk) {
            walk_->lists(own_in_lists_, offset_, list_index_, list_slot_);
        } else {
            lists().search(list_search(r));
            busy_ = false;
            if (fp64_) {
                *view = lists().view();
                return;
            }
            keep_entries(lists().view());
        }
        *view = {offset_.data(), list_index_.data(), list_slot_.data()};
    });
}

// Without doubles the device has listed a little more than was asked for.
void OpenClDevice::keep_entries(const NeighbourView &candidates)
{
    const Scale &scale = request_.scale;
    const double area = scale.length * scale.length;
    for (size_t n = 0; n < static_cast<size_t>(request_.ni); n++) {
        for (std::int64_t e = candidates.offset[n]; e < candidates.offset[n + 1]; e++) {
            const int slot = candidates.slot[e];
            if (!(host_.distance2(i_[n], slot) < i_[n].h2 * area)) continue;
            list_index_.push_back(candidates.index[e]);
            list_slot_.push_back(slot);
        }
        offset_[n + 1] = static_cast<std::int64_t>(list_index_.size());
    }
}

}  // namespace g6::opencl
