// SPDX-License-Identifier: MIT
// Appends the lists of devices that computed different i-particles, merges the lists of devices
// that shared a walk and of softening classes, and inserts the host's lists for strays.
#include "neighbours.h"

#include "../base/host_threads.h"
#include "../base/parallel.h"

#include <algorithm>
#include <utility>

namespace g6 {

void NeighbourLists::clear(int ni)
{
    offset_.assign(static_cast<size_t>(ni) + 1, 0);
    index_.clear();
    address_.clear();
}

// Devices sort lists by address.  Most codes have indices in this order, which needs no new sort.
void NeighbourLists::append(const NeighbourView &view, int ni, bool by_index, int threads)
{
    const size_t lists = offset_.size();
    const std::int64_t shift = offset_.back() - view.offset[0];
    offset_.reserve(lists + static_cast<size_t>(ni));
    index_.insert(index_.end(), view.index + view.offset[0], view.index + view.offset[ni]);
    if (!by_index)
        address_.insert(address_.end(), view.slot + view.offset[0], view.slot + view.offset[ni]);
    for (int i = 0; i < ni; i++) offset_.push_back(view.offset[i + 1] + shift);
    if (!by_index) return;
    parallel_ranges(host_threads(ni, threads), ni, [&](int first, int last) {
        for (int i = first; i < last; i++) {
            const size_t list = lists + static_cast<size_t>(i);
            const auto begin = index_.begin() + offset_[list - 1],
                       end = index_.begin() + offset_[list];
            if (!std::is_sorted(begin, end)) std::sort(begin, end);
        }
    });
}

void NeighbourLists::merge(const std::vector<Part> &parts, int ni, bool by_index)
{
    clear(0);
    std::vector<std::pair<int, int>> entries;  // key of the sort, index
    for (int i = 0; i < ni; i++) {
        entries.clear();
        for (const Part &part : parts) {
            const NeighbourView &l = part.lists;
            for (std::int64_t k = l.offset[i]; k < l.offset[i + 1]; k++)
                entries.emplace_back(by_index ? l.index[k] : part.address_of(l.slot[k]),
                                     l.index[k]);
        }
        std::sort(entries.begin(), entries.end());
        for (const auto &[key, index] : entries) {
            index_.push_back(index);
            if (!by_index) address_.push_back(key);
        }
        offset_.push_back(static_cast<std::int64_t>(index_.size()));
    }
}

void NeighbourLists::replace(const std::vector<StraySum> &strays, bool by_index)
{
    NeighbourLists changed;
    auto stray = strays.begin();
    for (int i = 0; i < size(); i++) {
        std::vector<int> &to = changed.index_;
        if (stray != strays.end() && stray->number == i) {
            for (const StraySum::Neighbour &n : stray->neighbours) {
                to.push_back(n.index);
                if (!by_index) changed.address_.push_back(n.address);
            }
            if (by_index) std::sort(to.begin() + changed.offset_.back(), to.end());
            ++stray;
        } else {
            to.insert(to.end(), list(i), list(i) + count(i));
            if (!by_index)
                changed.address_.insert(changed.address_.end(), address_.begin() + offset_[i],
                                        address_.begin() + offset_[i + 1]);
        }
        changed.offset_.push_back(static_cast<std::int64_t>(to.size()));
    }
    *this = std::move(changed);
}

}  // namespace g6
