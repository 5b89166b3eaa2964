// SPDX-License-Identifier: MIT
// Direct sums of a device without doubles: the host keeps the j-particles in a tree of its own,
// which predicts them in double and searches for neighbours.  The device sums pairs of floats.
#pragma once

#include "../../libg6gpu/tree/host_tree.h"
#include "host_walk.h"

namespace g6::opencl {

class HostParticles {
public:
    void put(const G6JRecord &row, int words);
    void clear();
    // Predicts the j-particles to the block's time, and gives its i-particles to search().  Returns
    // how many j-particles act; with 0, search() must not be used.
    int set_block(const Block &block, const DeviceOptions &options);
    HostWalk &search() { return search_; }

    // Sizes of the planes (layout.cl), ids and index ranges of whole tiles, which kernels read.
    struct Tiles {
        std::size_t plane_bytes, id_bytes, range_bytes;
        std::size_t bytes(int planes) const
        {
            return static_cast<std::size_t>(planes) * plane_bytes + id_bytes + range_bytes;
        }
    };
    static Tiles tiles(int nj);
    // Writes planes, ids and ranges of the block, one after the other.
    void pack(char *to, int planes);

private:
    JStore store_;
    HostTree tree_;
    HostWalk search_;
    int nj_ = 0, threads_ = 0;
    std::vector<int> place_;  // in the tree, of each slot; -1: the slot is empty
};

}  // namespace g6::opencl
