// SPDX-License-Identifier: MIT
// Neighbour lists of one block, merged from all devices.  Storage grows: there is no limit on a
// list's length.  A call that throws for lack of memory leaves whole lists only.
//
// The lists of a softening class also keep the slot of each entry.  From the slots join() knows the
// order of entries that come from several classes.
#pragma once

#include "stray_sums.h"
#include "../backend.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace g6 {

class NeighbourLists {
public:
    // Empty lists for ni particles.
    void clear(int ni);
    // Merges the views of D = views.size() devices.  Sorts each list by index value (by_index) or
    // by address.  dealt: device d holds the addresses d, d + D, d + 2 D ...; else each holds all
    // addresses and no two of them have entries for the same i-particle.
    void merge(const std::vector<NeighbourView> &views, int ni, bool by_index, bool dealt);

    // Appends the lists of ni more i-particles, from one device that holds all addresses.  threads:
    // as in host_threads().
    void append(const NeighbourView &view, int ni, bool by_index, int threads = 0);

    // Replaces the lists of the strays by these.
    void replace(const std::vector<StraySum> &strays, bool by_index);

    // From the next clear() on, lists by address keep the slots of their entries.
    void keep_slots() { keeps_slots_ = true; }
    // Lists that keep their slots, of particles whose addresses ascend with the slots.
    struct Part {
        const NeighbourLists *lists;
        const int *address;  // [slot]
    };
    // Joins the lists of ni i-particles, sorted as merge() does.
    void join(const std::vector<Part> &parts, int ni, bool by_index);

    int size() const { return static_cast<int>(offset_.size()) - 1; }
    std::int64_t count(int i) const { return offset_[i + 1] - offset_[i]; }
    const int *list(int i) const { return index_.data() + offset_[i]; }

private:
    using Entry = std::pair<std::int64_t, int>;  // address, index
    void append_sorted(std::vector<Entry> &entries);

    std::vector<std::int64_t> offset_{0};
    std::vector<int> index_;
    bool keeps_slots_ = false;
    std::vector<int> slot_;  // of each entry, where slots are kept
};

}  // namespace g6
