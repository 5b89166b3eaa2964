// SPDX-License-Identifier: MIT
#include "tree_block.h"

#include "../../libg6gpu/quiet_float.h"
#include "../../libg6gpu/tree/search.h"

#include <algorithm>
#include <limits>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace g6::cpu {

constexpr int kMostTogether = 128;  // i-particles of one group

void TreeBlock::sums(const Block &block, const std::vector<IParticle> &i, int threads, Partial *out)
{
    const std::size_t n = i.size();
    const double scale = block.scale.mass / (block.scale.length * block.scale.length);
    groups_.sort(*block.tree, i.empty() ? nullptr : i[0].x, sizeof(IParticle) / sizeof(double),
                 static_cast<int>(n), threads);
    groups_.divide_cells(*block.tree, kMostTogether);
    i_.resize(n);
    aold_.resize(n);
    partial_.resize(n);
    const Partial zero{{}, {}, 0, std::numeric_limits<double>::infinity(), -1};
    for (std::size_t k = 0; k < n; k++) {
        const int number = groups_.number(static_cast<int>(k));
        i_[k] = i[static_cast<std::size_t>(number)];
        aold_[k] = static_cast<double>(block.i[number].aold) * scale;
        partial_[k] = zero;
    }
    while (walkers_.size() < static_cast<std::size_t>(threads))
        walkers_.emplace_back(kernels_, precision_);
    const int groups = static_cast<int>(groups_.groups().size());
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1 && groups > 1)
    for (int g = 0; g < groups; g++) {
#ifdef _OPENMP
        Walker &walker = walkers_[static_cast<std::size_t>(omp_get_thread_num())];
#else
        Walker &walker = walkers_[0];
#endif
        group(walker, block, groups_.groups()[static_cast<std::size_t>(g)]);
    }
    for (std::size_t k = 0; k < n; k++) out[groups_.number(static_cast<int>(k))] = partial_[k];
    for (Walker &w : walkers_) {
        counts_.interactions += w.counts.interactions;
        counts_.tests += w.counts.tests;
        w.counts = WalkCounts{};
    }
}

void TreeBlock::group(Walker &walker, const Block &block, const Group &g)
{
    const QuietFloat quiet;
    const std::size_t first = static_cast<std::size_t>(g.first);
    walker.run(block, &i_[first], &aold_[first], g.last - g.first, &partial_[first]);
    if (block.want & kWantNearest) nearest(*block.tree, g);
}

void TreeBlock::nearest(const TreeView &tree, const Group &g)
{
    for (int k = g.first; k < g.last; k++) {
        const IParticle &i = i_[static_cast<std::size_t>(k)];
        Partial &p = partial_[static_cast<std::size_t>(k)];
        const auto *guess = std::lower_bound(tree.key, tree.key + tree.bodies, groups_.key(k));
        p.nn_slot =
            nearest_body(tree, {i.x, i.h2, i.index}, static_cast<int>(guess - tree.key), p.nn_r2);
    }
}

void TreeBlock::lists(const Block &block, const std::vector<IParticle> &i, int threads,
                      std::vector<std::int64_t> &offset, std::vector<int> &index,
                      std::vector<int> &slot)
{
    const TreeView &tree = *block.tree;
    const int ni = block.ni;
    hits_.resize(i.size());
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads) if (threads > 1)
    for (int n = 0; n < ni; n++) {
        const std::size_t k = static_cast<std::size_t>(groups_.number(n));  // near ones together
        hits_[k].clear();
        if (i[k].h2 > 0)
            bodies_within(tree, {i[k].x, i[k].h2, i[k].index}, block.own_in_lists != 0, hits_[k]);
    }
    offset.assign(1, 0);
    index.clear();
    slot.clear();
    for (const auto &hits : hits_) {
        for (int p : hits) {
            index.push_back(tree.index[p]);
            slot.push_back(tree.slot[p]);
        }
        offset.push_back(static_cast<std::int64_t>(index.size()));
    }
}

}  // namespace g6::cpu
