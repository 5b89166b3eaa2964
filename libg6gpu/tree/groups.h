// SPDX-License-Identifier: MIT
// i-particles of a block in the order of their keys, and divided into groups that share one walk.
//
// divide_cells(): a group is one cell of the octree that holds few enough i-particles and few
// enough bodies, so its box is small where the tree is deep, also when few of the bodies are in the
// block.  divide_runs(): as many as are wanted that follow each other, for hardware whose lanes
// should all have one, cut where the next is far away: between two whose smallest common cell holds
// many bodies.
#pragma once

#include "../backend.h"
#include "sort.h"

#include <vector>

namespace g6 {

struct Group {
    int first, last;  // in the order of keys
};

class Groups {
public:
    // n positions in device units, stride doubles apart.
    void sort(const TreeView &tree, const double *x, std::size_t stride, int n, int threads);
    // most: i-particles of one group, and bodies around them.
    void divide_cells(const TreeView &tree, int most);
    void divide_runs(const TreeView &tree, int wanted, int threads);
    const std::vector<Group> &groups() const { return groups_; }
    // Number in the block of the n-th i-particle, and its key.
    int number(int n) const { return static_cast<int>(pairs_[static_cast<std::size_t>(n)].value); }
    std::uint64_t key(int n) const { return pairs_[static_cast<std::size_t>(n)].key; }

private:
    void divide(const TreeView &tree, int first, int last, int level);
    bool crowded(const TreeView &tree, std::uint64_t a, std::uint64_t b, int most) const;

    Array<KeyValue> pairs_, spare_;
    std::vector<Group> groups_;
    std::vector<unsigned char> begins_;  // a group, for divide_runs()
    int most_ = 1;
};

}  // namespace g6
