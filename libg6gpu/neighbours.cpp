// SPDX-License-Identifier: MIT
#include "neighbours.h"

#include <algorithm>
#include <utility>

namespace g6 {

void NeighbourLists::clear(int ni)
{
    offset_.assign(static_cast<size_t>(ni) + 1, 0);
    index_.clear();
}

void NeighbourLists::append(const NeighbourView &view, int ni, bool by_index)
{
    for (int i = 0; i < ni; i++) {
        index_.insert(index_.end(), view.index + view.offset[i], view.index + view.offset[i + 1]);
        if (by_index) std::sort(index_.begin() + offset_.back(), index_.end());
        offset_.push_back(static_cast<std::int64_t>(index_.size()));
    }
}

void NeighbourLists::merge(const std::vector<NeighbourView> &views, int ni, bool by_index)
{
    clear(ni);
    for (int i = 0; i < ni; i++) {
        std::int64_t n = 0;
        for (const NeighbourView &v : views) n += v.offset[i + 1] - v.offset[i];
        offset_[i + 1] = offset_[i] + n;
    }
    index_.resize(static_cast<size_t>(offset_[ni]));
    const int devices = static_cast<int>(views.size());
    std::vector<std::pair<std::int64_t, int>> by_address;
    for (int i = 0; i < ni; i++) {
        int *out = index_.data() + offset_[i];
        if (by_index || devices == 1) {
            for (const NeighbourView &v : views)
                out = std::copy(v.index + v.offset[i], v.index + v.offset[i + 1], out);
            if (by_index) std::sort(index_.data() + offset_[i], out);
            continue;
        }
        by_address.clear();
        for (int d = 0; d < devices; d++)
            for (std::int64_t k = views[d].offset[i]; k < views[d].offset[i + 1]; k++)
                by_address.emplace_back(static_cast<std::int64_t>(views[d].slot[k]) * devices + d,
                                        views[d].index[k]);
        std::sort(by_address.begin(), by_address.end());
        for (const auto &entry : by_address) *out++ = entry.second;
    }
}

}  // namespace g6
