// SPDX-License-Identifier: MIT
// Puts the i-particles in the order of their keys, and cuts this order into groups.
#include "groups.h"

#include "../base/parallel.h"
#include "keys.h"

#include <algorithm>

namespace g6 {

void Groups::sort(const TreeView &tree, const double *x, std::size_t stride, int count, int threads)
{
    const std::size_t n = static_cast<std::size_t>(count);
    const Cube cube = {{tree.corner[0], tree.corner[1], tree.corner[2]}, tree.size};
    KeyValue *pairs = pairs_.renew(n);
    spare_.renew(n);
    parallel_for(threads, n, [&](std::size_t k) {
        pairs[k] = {key_of(cube, x[k * stride], x[k * stride + 1], x[k * stride + 2]),
                    static_cast<std::int64_t>(k)};
    });
    radix_sort(pairs, spare_.data(), n, 3 * kKeyLevels, threads);
}

// Fills place_ by a search with growing steps from the place of the i-particle before: i-particles
// that follow each other lie near each other.
void Groups::find_places(const TreeView &tree, int threads)
{
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
bool Groups::crowded(const TreeView &tree, int n, int most) const
{
    const std::uint64_t a = key(n - 1), b = key(n);
    const int shift = 3 * (kKeyLevels - common_level(a, b)), p = place(n);
    const std::uint64_t low = a >> shift << shift, high = low + ((std::uint64_t{1} << shift) - 1);
    return (tree.bodies - p > most && tree.key[p + most] <= high) ||
           (p >= most && tree.key[p - most] >= low);
}

// A group that lies among more than `most` bodies would open cells that are far from each of its
// members, and in the worst case it would sum over all bodies one by one.
void Groups::divide_runs(const TreeView &tree, int wanted, int spread, int threads)
{
    constexpr int kMostBodies = 1024;  // around a group when all bodies are i-particles
    const int n = static_cast<int>(pairs_.size()), share = tree.bodies / std::max(n, 1),
              most = kMostBodies * std::max(1, std::min(spread, share));
    find_places(tree, threads);
    begins_.resize(pairs_.size());
    parallel_for(threads, n, [&](int k) {
        begins_[static_cast<std::size_t>(k)] = k % wanted == 0 || crowded(tree, k, most);
    });
    groups_.clear();
    for (int k = 0; k < n; k++)
        if (begins_[static_cast<std::size_t>(k)])
            groups_.push_back({k, k + 1});
        else
            groups_.back().last = k + 1;
}

}  // namespace g6
