// SPDX-License-Identifier: MIT
// Neighbour lists of one block, from all devices and softening classes.  Storage grows, so that a
// list may have any length.  A call that throws for lack of memory leaves no incomplete list.
//
// Each list is sorted by index value or by address, as the client asks.  Lists by address also have
// the address of each entry; in the lists of a softening class this is the entry's slot.
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
    // Lists from a search of some of the j-particles.
    struct Part {
        NeighbourView lists;
        const int *address;  // [slot]; null: a slot is an address
        int address_of(int slot) const { return address ? address[slot] : slot; }
    };
    // Merges the lists of ni i-particles.
    void merge(const std::vector<Part> &parts, int ni, bool by_index);

    // Appends the lists of ni more i-particles, from one device that holds all addresses.  threads:
    // as in host_threads().
    void append(const NeighbourView &view, int ni, bool by_index, int threads);

    // Replaces the lists of the strays by these.
    void replace(const std::vector<StraySum> &strays, bool by_index);

    int size() const { return static_cast<int>(offset_.size()) - 1; }
    std::int64_t count(int i) const { return offset_[i + 1] - offset_[i]; }
    const int *list(int i) const { return index_.data() + offset_[i]; }
    // The lists as a view, whose slots are addresses; lists by index have no slots.
    NeighbourView view() const { return {offset_.data(), index_.data(), address_.data()}; }

private:
    std::vector<std::int64_t> offset_{0};
    std::vector<int> index_;
    std::vector<int> address_;  // of each entry, where lists are by address
};

}  // namespace g6
