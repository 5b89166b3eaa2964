// SPDX-License-Identifier: MIT
// Joins the lists of devices that computed different i-particles (append()), merges those of
// devices that hold different j-particles (merge()), puts in the lists that the host found for
// strays (replace()), and joins the lists of softening classes (join()).
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
    slot_.clear();
}

// Entries in the order of their addresses.
void NeighbourLists::append_sorted(std::vector<Entry> &entries)
{
    std::sort(entries.begin(), entries.end());
    for (const Entry &entry : entries) {
        index_.push_back(entry.second);
        if (keeps_slots_) slot_.push_back(static_cast<int>(entry.first));
    }
}

// Most codes number their particles by address, so that lists are sorted as they come.
void NeighbourLists::append(const NeighbourView &view, int ni, bool by_index, int threads)
{
    const size_t lists = offset_.size();
    const std::int64_t shift = offset_.back() - view.offset[0];
    offset_.reserve(lists + static_cast<size_t>(ni));
    index_.insert(index_.end(), view.index + view.offset[0], view.index + view.offset[ni]);
    if (keeps_slots_)
        slot_.insert(slot_.end(), view.slot + view.offset[0], view.slot + view.offset[ni]);
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

void NeighbourLists::merge(const std::vector<NeighbourView> &views, int ni, bool by_index,
                           bool dealt)
{
    const int devices = static_cast<int>(views.size());
    clear(0);
    offset_.reserve(static_cast<size_t>(ni) + 1);
    std::int64_t entries = 0;
    for (const NeighbourView &v : views) entries += v.offset[ni] - v.offset[0];
    index_.reserve(static_cast<size_t>(entries));
    std::vector<Entry> by_address;
    for (int i = 0; i < ni; i++) {
        if (by_index || !dealt) {
            for (const NeighbourView &v : views) {
                index_.insert(index_.end(), v.index + v.offset[i], v.index + v.offset[i + 1]);
                if (keeps_slots_)
                    slot_.insert(slot_.end(), v.slot + v.offset[i], v.slot + v.offset[i + 1]);
            }
            if (by_index) std::sort(index_.begin() + offset_.back(), index_.end());
        } else {
            by_address.clear();
            for (int d = 0; d < devices; d++)
                for (std::int64_t k = views[d].offset[i]; k < views[d].offset[i + 1]; k++)
                    by_address.emplace_back(static_cast<std::int64_t>(views[d].slot[k]) * devices +
                                                d,
                                            views[d].index[k]);
            append_sorted(by_address);
        }
        offset_.push_back(static_cast<std::int64_t>(index_.size()));
    }
}

void NeighbourLists::replace(const std::vector<StraySum> &strays, bool by_index)
{
    NeighbourLists changed;
    changed.keeps_slots_ = keeps_slots_;
    auto stray = strays.begin();
    for (int i = 0; i < size(); i++) {
        std::vector<int> &to = changed.index_;
        if (stray != strays.end() && stray->number == i) {
            for (const StraySum::Neighbour &n : stray->neighbours) {
                to.push_back(n.index);
                if (keeps_slots_) changed.slot_.push_back(n.address);
            }
            if (by_index) std::sort(to.begin() + changed.offset_.back(), to.end());
            ++stray;
        } else {
            to.insert(to.end(), list(i), list(i) + count(i));
            if (keeps_slots_)
                changed.slot_.insert(changed.slot_.end(), slot_.begin() + offset_[i],
                                     slot_.begin() + offset_[i + 1]);
        }
        changed.offset_.push_back(static_cast<std::int64_t>(to.size()));
    }
    *this = std::move(changed);
}

void NeighbourLists::join(const std::vector<Part> &parts, int ni, bool by_index)
{
    clear(0);
    std::vector<Entry> by_address;
    for (int i = 0; i < ni; i++) {
        by_address.clear();
        for (const Part &part : parts) {
            const NeighbourLists &l = *part.lists;
            if (by_index)
                index_.insert(index_.end(), l.list(i), l.list(i) + l.count(i));
            else
                for (std::int64_t k = l.offset_[i]; k < l.offset_[i + 1]; k++)
                    by_address.emplace_back(part.address[l.slot_[k]], l.index_[k]);
        }
        append_sorted(by_address);
        if (by_index) std::sort(index_.begin() + offset_.back(), index_.end());
        offset_.push_back(static_cast<std::int64_t>(index_.size()));
    }
}

}  // namespace g6
