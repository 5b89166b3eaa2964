// SPDX-License-Identifier: MIT
// Shares the walks of the groups of a block among threads.  The thread that walks for a group also
// searches for its nearest neighbours.
#include "tree_block.h"

#include "../../libg6gpu/base/parallel.h"

#include <algorithm>

namespace g6::cpu {

constexpr int kSpread = 2;  // how sparse the i-particles of a group may lie (Groups::divide_runs())

void TreeBlock::sum(const Block &block, int threads, DeviceCounters &counters)
{
    groups_.make(block, kGroupSize, kSpread, threads);
    const double scale = block.scale.mass / (block.scale.length * block.scale.length);
    const bool by_acceleration = block.walk.mac == Mac::kAcceleration;
    aold_.resize(groups_.i().size());
    partial_.resize(groups_.i().size());
    parallel_for(threads, partial_.size(), [&](std::size_t k) {
        const float a = block.i[number(static_cast<int>(k))].aold;
        aold_[k] = by_acceleration ? static_cast<double>(a) * scale : 0;
        partial_[k] = kNothing;
    });
    while (walkers_.size() < static_cast<std::size_t>(threads))
        walkers_.emplace_back(kernels_, precision_);
    constexpr int kPerThread = 8;  // walks, so that all end at about the same time
    const int groups = static_cast<int>(groups_.groups().size()),
              together = std::max(1, std::min(kTogether, groups / (kPerThread * threads))),
              walks = (groups + together - 1) / together;
    parallel_shares(walks > 1 ? threads : 1, walks, [&](int w, int thread) {
        walk(walkers_[static_cast<std::size_t>(thread)], block, w * together,
             std::min((w + 1) * together, groups));
    });
    for (Walker &w : walkers_) {
        add(counters, w.counts);
        w.counts = DeviceCounters{};
    }
}

// Groups first ... last-1 walk together.
void TreeBlock::walk(Walker &walker, const Block &block, int first, int last)
{
    const Group *groups = groups_.groups().data();
    walker.run(block, {groups_.i().data(), aold_.data()}, groups + first, last - first,
               partial_.data());
    if (!(block.want & kWantNearest)) return;
    for (int k = groups[first].first; k < groups[last - 1].last; k++) {
        Partial &p = partial_[static_cast<std::size_t>(k)];
        p.nn_slot = groups_.nearest(k, p.nn_r2);
    }
}

}  // namespace g6::cpu
