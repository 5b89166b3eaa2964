// SPDX-License-Identifier: MIT
// Sorts the i-particles by their keys, cuts this order into groups, and searches for lists.
#include "groups.h"

#include "../base/parallel.h"
#include "keys.h"

#include <algorithm>

namespace g6 {

// A group ends after `wanted` i-particles, and earlier where too many bodies lie between an
// i-particle and the next one (crowded()).  A group of both would fill a large box and open cells
// that no member needs, in the worst case all cells.
void Groups::make(const Block &block, int wanted, int spread, int threads)
{
    const TreeView &tree = *(tree_ = block.tree);
    const std::size_t n = static_cast<std::size_t>(block.ni);
    const Cube cube = {{tree.corner[0], tree.corner[1], tree.corner[2]}, tree.size};
    KeyValue *pairs = pairs_.renew(n);
    spare_.renew(n);
    parallel_for(threads, n, [&](std::size_t k) {
        const double *x = block.i[k].x, l = block.scale.length;
        pairs[k] = {key_of(cube, x[0] * l, x[1] * l, x[2] * l), static_cast<std::int64_t>(k)};
    });
    radix_sort(pairs, spare_.data(), n, 3 * kKeyLevels, threads);
    find_places(threads);
    constexpr int kMostBodies = 1024;  // around a group when all bodies are i-particles
    const int share = tree.bodies / std::max(block.ni, 1),
              most = kMostBodies * std::max(1, std::min(spread, share));
    i_.resize(n);
    begins_.resize(n);
    parallel_for(threads, block.ni, [&](int k) {
        const std::size_t at = static_cast<std::size_t>(k);
        i_[at] = in_device_units(block.i[number(k)], block.scale);
        begins_[at] = k % wanted == 0 || crowded(k, most);
    });
    groups_.clear();
    for (int k = 0; k < block.ni; k++)
        if (begins_[static_cast<std::size_t>(k)])
            groups_.push_back({k, k + 1});
        else
            groups_.back().last = k + 1;
}

NeighbourView Groups::lists(bool own, int threads)
{
    const int n = static_cast<int>(i_.size());
    lists_.begin(n);
    parallel_shares(threads, n, [&](int k, int) {
        const G6IRecord &i = i_[static_cast<std::size_t>(k)];
        if (i.h2 > 0) bodies_within(*tree_, i, own, lists_.of(number(k)));
    });
    return lists_.join([&](int place) { return tree_->index[place]; },
                       [&](int place) { return tree_->slot[place]; });
}

// Fills place_ by a galloping search from the place of the preceding i-particle, which is near
// because i-particles are in the order of keys, too.
void Groups::find_places(int threads)
{
    const TreeView &tree = *tree_;
    const int n = static_cast<int>(pairs_.size());
    int *places = place_.renew(pairs_.size());
    parallel_ranges(threads, n, [&](int first, int last) {
        const auto *end = tree.key + tree.bodies, *at = tree.key;
        for (int k = first; k < last; k++) {
            std::ptrdiff_t step = 1;
            while (step < end - at && at[step] < key(k)) step *= 2;
            at = std::lower_bound(at, at + std::min(step, end - at), key(k));
            places[k] = static_cast<int>(at - tree.key);
        }
    });
}

// Whether the smallest cell that holds both the n-th i-particle and the one before it has more than
// `most` bodies before or after the n-th i-particle.
bool Groups::crowded(int n, int most) const
{
    const TreeView &tree = *tree_;
    const std::uint64_t a = key(n - 1), b = key(n);
    const int shift = 3 * (kKeyLevels - common_level(a, b)), p = place(n);
    const std::uint64_t low = a >> shift << shift, high = low + ((std::uint64_t{1} << shift) - 1);
    return (tree.bodies - p > most && tree.key[p + most] <= high) ||
           (p >= most && tree.key[p - most] >= low);
}

}  // namespace g6
