// SPDX-License-Identifier: MIT
// Divides the i-particles of a block into groups that walk the tree together, and searches the tree
// for the neighbours of single i-particles.
//
// A walk costs less when several i-particles share it (Barnes 1990, J. Comput. Phys. 87, 161): a
// cell is opened when any member of the group needs this, and all members sum the same list.  So
// the members must lie close together.  The i-particles are sorted by their keys along the
// space-filling curve, and this order is cut into runs, which are the groups.  A cut between two
// i-particles is also made where the smallest cell that holds both has many bodies.
//
// Invariant: each i-particle of the block is in one group.
#pragma once

#include "search.h"
#include "sort.h"

#include <vector>

namespace g6 {

// The i-particles first ... last-1 in the order of keys.
struct Group {
    int first, last;
};

class Groups {
public:
    // Sorts the block's i-particles, and cuts them into groups of at most `wanted`.  The smallest
    // cell of two successive i-particles of a group has at most 1024 bodies before and after the
    // second of them, or up to spread * 1024 where few bodies are i-particles.  A large spread pays
    // if small groups leave vector lanes empty.  The block's tree must stay as it is until the next
    // call.
    void make(const Block &block, int wanted, int spread, int threads);
    const std::vector<Group> &groups() const { return groups_; }
    // The i-particles in this order, in device units.
    const std::vector<G6IRecord> &i() const { return i_; }
    // Of the n-th i-particle in this order: its number in the block, and the place of the first
    // body whose key is not below its own; the number of bodies where there is none.
    int number(int n) const { return static_cast<int>(pairs_[static_cast<std::size_t>(n)].value); }
    int place(int n) const { return place_[static_cast<std::size_t>(n)]; }
    // The nearest neighbour of the n-th i-particle, as nearest_body() gives it.
    int nearest(int n, double &r2) const
    {
        return nearest_body(*tree_, i_[static_cast<std::size_t>(n)], place(n), r2);
    }
    // The neighbour lists of all, in the order of the block.
    NeighbourView lists(bool own, int threads);

private:
    std::uint64_t key(int n) const { return pairs_[static_cast<std::size_t>(n)].key; }
    void find_places(int threads);
    bool crowded(int n, int most) const;

    const TreeView *tree_ = nullptr;
    HostBuffer<KeyValue> pairs_, spare_;  // the order: key, and number in the block
    std::vector<G6IRecord> i_;
    std::vector<Group> groups_;
    FoundLists lists_;
    HostBuffer<int> place_;              // place() of each i-particle
    std::vector<unsigned char> begins_;  // whether a group begins at this i-particle
};

}  // namespace g6
