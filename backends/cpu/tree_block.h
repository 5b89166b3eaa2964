// SPDX-License-Identifier: MIT
// One block of mode treewalk on the cpu device: i-particles in the order of their keys, groups over
// threads, results back in the order of the block.
#pragma once

#include "walk.h"

#include "../../libg6gpu/tree/groups.h"

namespace g6::cpu {

class TreeBlock {
public:
    TreeBlock(const Kernels &kernels, int precision) : kernels_(kernels), precision_(precision) {}

    void sum(const Block &block, int threads, DeviceCounters &counters);
    // After sum(): the sums of the k-th i-particle in the order of keys, whose nn_slot is a place
    // in the tree, and its number in the block.
    const Partial &partial(int k) const { return partial_[static_cast<std::size_t>(k)]; }
    int number(int k) const { return groups_.number(k); }
    // Of the last sum().
    NeighbourView lists(bool own, int threads) { return groups_.lists(own, threads); }

private:
    void walk(Walker &walker, const Block &block, int first, int last);

    const Kernels &kernels_;
    const int precision_;
    Groups groups_;
    std::vector<Walker> walkers_;
    std::vector<double> aold_;  // in the order of keys, as the sums
    std::vector<Partial> partial_;
};

}  // namespace g6::cpu
