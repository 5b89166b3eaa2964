// SPDX-License-Identifier: MIT
// Sorts the i-particles of a block along the space-filling curve, cuts this order into groups, and
// shares the walks of these groups among threads.  Nearest neighbours and neighbour lists are
// searched for in the same order.
#include "tree_block.h"

#include "../../libg6gpu/base/parallel.h"
#include "../../libg6gpu/tree/search.h"

#include <algorithm>

namespace g6::cpu {

constexpr int kSpread = 2;  // how sparse the i-particles of a group may lie (Groups::divide_runs())

// Sorts the i-particles, cuts them into groups, and clears their sums.
void TreeBlock::divide(const Block &block, const std::vector<IParticle> &i, int threads)
{
    const std::size_t n = i.size();
    const double scale = block.scale.mass / (block.scale.length * block.scale.length);
    constexpr std::size_t kStride = sizeof(IParticle) / sizeof(double);
    static_assert(sizeof(IParticle) % sizeof(double) == 0, "strides are in doubles");
    groups_.sort(*block.tree, n > 0 ? i[0].x : nullptr, kStride, static_cast<int>(n), threads);
    groups_.divide_runs(*block.tree, kGroupSize, kSpread, threads);
    i_.resize(n);
    aold_.resize(n);
    partial_.resize(n);
    const bool by_acceleration = block.walk.mac == Mac::kAcceleration;
    parallel_for(threads, n, [&](std::size_t k) {
        const int number = groups_.number(static_cast<int>(k));
        i_[k] = i[static_cast<std::size_t>(number)];
        aold_[k] = by_acceleration ? static_cast<double>(block.i[number].aold) * scale : 0;
        partial_[k] = kNothing;
    });
}

void TreeBlock::sum(const Block &block, const std::vector<IParticle> &i, int threads,
                    DeviceCounters &counters)
{
    divide(block, i, threads);
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
    walker.run(block, {i_.data(), aold_.data()}, groups + first, last - first, partial_.data());
    if (!(block.want & kWantNearest)) return;
    for (int g = first; g < last; g++) nearest(*block.tree, groups[g]);
}

void TreeBlock::nearest(const TreeView &tree, const Group &g)
{
    for (int k = g.first; k < g.last; k++) {
        const IParticle &i = i_[static_cast<std::size_t>(k)];
        Partial &p = partial_[static_cast<std::size_t>(k)];
        p.nn_slot = nearest_body(tree, {i.x, i.h2, i.index}, groups_.place(k), p.nn_r2);
    }
}

void TreeBlock::lists(const Block &block, const std::vector<IParticle> &i, int threads,
                      std::vector<std::vector<int>> &places) const
{
    parallel_shares(threads, block.ni, [&](int n, int) {
        const std::size_t k = static_cast<std::size_t>(groups_.number(n));  // in the order of keys
        if (i[k].h2 > 0)
            bodies_within(*block.tree, {i[k].x, i[k].h2, i[k].index}, block.own_in_lists != 0,
                          places[k]);
    });
}

}  // namespace g6::cpu
