// SPDX-License-Identifier: MIT
// Neighbour lists of one block, merged from all devices.  Storage grows: there is no limit on a
// list's length.  A call that throws for lack of memory leaves whole lists only.
#pragma once

#include "stray_sums.h"
#include "../backend.h"

#include <cstdint>
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

    // Puts the strays' lists in place of those that are there.
    void replace(const std::vector<StraySum> &strays, bool by_index);

    int size() const { return static_cast<int>(offset_.size()) - 1; }
    std::int64_t count(int i) const { return offset_[i + 1] - offset_[i]; }
    const int *list(int i) const { return index_.data() + offset_[i]; }

private:
    std::vector<std::int64_t> offset_{0};
    std::vector<int> index_;
};

}  // namespace g6
