// SPDX-License-Identifier: MIT
// The host's part of a walk.  It sorts the i-particles by their keys and divides them into groups,
// brings the core's tree into the layout of the kernels (walk.cl, nearest.cl), and makes neighbour
// lists by searches of the tree; for devices without doubles it also finds nearest neighbours.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/tree/groups.h"
#include "float_pairs.h"
#include "walk_layout.h"

#include <cstddef>
#include <vector>

namespace g6::opencl {

struct WalkPlan {
    bool full, jerk, quadrupole;
    bool fp64;     // the device computes in double
    bool exact;    // positions in double go along
    bool search;   // what nearest.cl needs goes along
    int together;  // i-particles of a group
    int threads;   // of the host, as DeviceOptions has them
};

class HostWalk {
public:
    // Takes the i-particles and the tree of a block.  The tree must stay as it is until the next
    // set_block().
    void set_block(const Block &block, const WalkPlan &plan);
    int groups() const { return static_cast<int>(group_.size()); }
    int group_size(int g) const { return group_[static_cast<std::size_t>(g)].count; }

    // Where things lie in a buffer (walk_layout.h) that has the words of the i-particles from
    // number `begin` on, and then the words of the tree, from number G6WalkLayout::body on.
    // Numbers that int cannot hold become INT_MAX.
    G6WalkLayout layout(std::size_t begin) const;
    // Write the words of the i-particles and of the tree to their places in the buffer.
    void pack_i(char *buffer) const;
    void pack_tree(char *buffer);

    // Number in the block of the n-th i-particle in the order of keys.
    int number(int n) const { return groups_.number(n); }
    void find_nearest();
    // In place of find_nearest(): takes the neighbours that the device has found.
    void take_nearest(const G6Nearest *found)
    {
        nearest_.assign(found, found + particles().size());
    }
    // Writes the nearest neighbour of the n-th i-particle into its result (nn_*).
    void put_nearest(int n, G6Sums &sums) const;
    // Lists in the order of the block.
    NeighbourView lists(bool own) { return groups_.lists(own, threads(particles().size() * 8)); }

private:
    struct OwnRange {
        int low, high;  // the places of an i-particle's own bodies lie between
    };
    const std::vector<G6IRecord> &particles() const { return groups_.i(); }
    int threads(std::size_t n) const { return tree_threads(n, plan_.threads); }
    void make_extent(const Group &g, G6GroupExtent &out) const;
    void order_cells();
    std::size_t value_bytes() const;  // of an i-particle
    std::size_t planes() const { return plan_.jerk ? (plan_.full ? 4 : 3) : 2; }
    std::size_t cell_words() const { return plan_.full ? 6 : 4; }
    std::size_t quadrupole_words() const { return plan_.full ? 3 : 2; }
    void put_particle(char *to, std::size_t step, const Body &b) const;
    void pack_cell(char *cells, std::size_t at) const;
    void pack_box(char *boxes, std::size_t cell) const;
    void pack_quadrupole(char *words, std::size_t at) const;

    WalkPlan plan_{};
    Scale scale_;
    const TreeView *tree_ = nullptr;
    Groups groups_;
    std::vector<OwnRange> own_;
    std::vector<G6GroupExtent> group_;
    std::vector<G6Nearest> nearest_;
    // walk_group.cl reads the cells level by level, with all children of a cell beside each other.
    // [place in this order]: the cell's number in the tree, and its link as in walk.cl.
    std::vector<int> order_, link_;
    std::uint64_t ordered_ = 0;  // the TreeView::structure for which order_ and link_ were made
};

}  // namespace g6::opencl
