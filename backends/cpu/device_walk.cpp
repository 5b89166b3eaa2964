// SPDX-License-Identifier: MIT
// The walk of one block of a CPU device.  Threads share the groups of i-particles.  The thread that
// walks for a group also searches for the group's nearest neighbours and writes its results.
#include "device.h"

#include "../../libg6gpu/base/parallel.h"

#include <algorithm>

namespace g6::cpu {

void CpuDevice::walk(G6Sums *sums)
{
    constexpr int kSpread = 2;     // how sparse the i-particles of a group may lie (Groups::make())
    constexpr int kPerThread = 8;  // walks, so that all end at about the same time
    const int workers = threads();
    groups_.make(block_, kGroupSize, kSpread, workers);
    const double scale = block_.scale.mass / (block_.scale.length * block_.scale.length);
    const bool by_acceleration = block_.walk.mac == Mac::kAcceleration;
    aold_.resize(groups_.i().size());
    partial_.resize(groups_.i().size());
    parallel_for(workers, partial_.size(), [&](size_t k) {
        const float a = block_.i[groups_.number(static_cast<int>(k))].aold;
        aold_[k] = by_acceleration ? static_cast<double>(a) * scale : 0;
        partial_[k] = kNothing;
    });
    while (walkers_.size() < static_cast<size_t>(workers))
        walkers_.emplace_back(kernels_, precision_);
    const int groups = static_cast<int>(groups_.groups().size()),
              together = std::max(1, std::min(kTogether, groups / (kPerThread * workers))),
              walks = (groups + together - 1) / together;
    parallel_shares(walks > 1 ? workers : 1, walks, [&](int w, int thread) {
        walk_groups(walkers_[static_cast<size_t>(thread)], w * together,
                    std::min((w + 1) * together, groups), sums);
    });
    for (Walker &w : walkers_) {
        add(counters_, w.counts);
        w.counts = DeviceCounters{};
    }
}

// Groups first ... last-1 walk together.
void CpuDevice::walk_groups(Walker &walker, int first, int last, G6Sums *sums)
{
    const TreeView &tree = *block_.tree;
    const Group *const groups = groups_.groups().data();
    walker.run(block_, groups_, aold_.data(), first, last - first, partial_.data());
    for (int k = groups[first].first; k < groups[last - 1].last; k++) {
        Partial &p = partial_[static_cast<size_t>(k)];
        int place = -1;
        if (block_.want & kWantNearest) place = groups_.nearest(k, p.nn_r2);
        if (place >= 0) p.nn_slot = tree.slot[place];
        write_sums(p, groups_.number(k), place < 0 ? 0 : tree.index[place], sums);
    }
}

}  // namespace g6::cpu
