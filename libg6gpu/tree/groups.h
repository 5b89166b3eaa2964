// SPDX-License-Identifier: MIT
// Groups of i-particles that walk the tree together.
//
// A walk costs less when several i-particles share it (Barnes 1990, J. Comput. Phys. 87, 161): a
// cell is opened when any member of the group needs that, and all members sum the same list.  So
// the members must lie close together.  The i-particles of a block are put in the order of their
// keys along the space-filling curve, and this order is cut into runs; each run is a group.  A run
// ends before the next i-particle when too many bodies lie between: when the smallest cell that
// holds both has many bodies.
//
// Invariant: each i-particle of the block is in one group.
#pragma once

#include "../backend.h"
#include "sort.h"

#include <vector>

namespace g6 {

// The i-particles first ... last-1 in the order of keys.
struct Group {
    int first, last;
};

class Groups {
public:
    // Finds the order of n i-particles, whose positions in device units are `stride` doubles apart.
    void sort(const TreeView &tree, const double *x, std::size_t stride, int n, int threads);
    // Cuts the order into groups of at most `wanted` i-particles.  A group may lie among 1024
    // bodies, or among up to spread * 1024 where i-particles are sparse among the bodies.  A large
    // spread pays where a small group wastes much, as on vector lanes that stay empty.
    void divide_runs(const TreeView &tree, int wanted, int spread, int threads);
    const std::vector<Group> &groups() const { return groups_; }
    // The n-th i-particle in this order: its number in the block, and its key.
    int number(int n) const { return static_cast<int>(pairs_[static_cast<std::size_t>(n)].value); }
    std::uint64_t key(int n) const { return pairs_[static_cast<std::size_t>(n)].key; }
    // After divide_runs(): the place of the first body whose key is not below that of the n-th
    // i-particle, or the number of bodies where there is none.
    int place(int n) const { return place_[static_cast<std::size_t>(n)]; }

private:
    void find_places(const TreeView &tree, int threads);
    bool crowded(const TreeView &tree, int n, int most) const;

    HostBuffer<KeyValue> pairs_, spare_;  // the order: key, and number in the block
    std::vector<Group> groups_;
    HostBuffer<int> place_;              // of a body near each i-particle, in the order
    std::vector<unsigned char> begins_;  // whether a group begins at this i-particle
};

}  // namespace g6
