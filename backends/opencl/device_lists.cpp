// SPDX-License-Identifier: MIT
// The neighbour lists of a block: by DeviceLists in direct sums with doubles, else by HostWalk.
#include "device.h"

namespace g6::opencl {

DeviceLists &OpenClDevice::lists()
{
    if (!lists_)
        lists_ = std::make_unique<DeviceLists>(maker_, queue_, list_search_shape(hardware_));
    return *lists_;
}

ListSearch OpenClDevice::list_search(const Request &r) const
{
    return {r.ni, r.nj,        r.own_in_lists != 0, capacity_,
            ids_, positions(), i_values_.get(),     i_index_.get()};
}

DeviceStatus OpenClDevice::neighbours(NeighbourView *view)
{
    return attempt("neighbours", [&] {
        const bool own = request_.own_in_lists != 0;
        if (is_empty_) {
            no_lists_.assign(static_cast<size_t>(request_.ni) + 1, 0);
            *view = {no_lists_.data(), nullptr, nullptr};
        } else if (!request_.is_walk && fp64_) {
            lists().search(list_search(request_));
            busy_ = false;
            *view = lists().view();
        } else {
            *view = (request_.is_walk ? walk_->host() : host_.search()).lists(own);
        }
    });
}

}  // namespace g6::opencl
