// SPDX-License-Identifier: MIT
#include "groups.h"

#include "keys.h"

#include <algorithm>

namespace g6 {

void Groups::make(const TreeView &tree, const double *x, std::size_t stride, int count, int most,
                  int threads)
{
    const std::size_t n = static_cast<std::size_t>(count);
    most_ = most;
    const Cube cube = {{tree.corner[0], tree.corner[1], tree.corner[2]}, tree.size};
    KeyValue *pairs = pairs_.resize(n);
    spare_.resize(n);
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::size_t k = 0; k < n; k++)
        pairs[k] = {key_of(tree.curve, cube, x[k * stride], x[k * stride + 1], x[k * stride + 2]),
                    static_cast<std::int64_t>(k)};
    constexpr std::size_t kFew = 4096;  // a radix sort has its own costs
    if (n < kFew)
        std::sort(pairs, pairs + n, [](const KeyValue &a, const KeyValue &b) {
            return a.key < b.key || (a.key == b.key && a.value < b.value);
        });
    else
        radix_sort(pairs, spare_.data(), n, 3 * kKeyLevels, threads);
    groups_.clear();
    if (n > 0) divide(tree, 0, count, 0);
}

// first ... last-1 lie in one cell of the level.
void Groups::divide(const TreeView &tree, int first, int last, int level)
{
    level = std::max(level, common_level(key(first), key(last - 1)));
    if (last - first == 1) return groups_.push_back({first, last});
    if (level >= kKeyLevels) {  // one place: any division is as good
        for (int at = first; at < last; at += most_)
            groups_.push_back({at, std::min(at + most_, last)});
        return;
    }
    if (last - first <= most_) {
        const int shift = 3 * (kKeyLevels - level);
        const std::uint64_t low = key(first) >> shift << shift,
                            high = low + ((std::uint64_t{1} << shift) - 1);
        const auto *begin = std::lower_bound(tree.key, tree.key + tree.bodies, low);
        const auto *end =
            begin + std::min<std::ptrdiff_t>(most_ + 1, tree.key + tree.bodies - begin);
        const bool few = end == tree.key + tree.bodies ? end - begin <= most_ : end[-1] > high;
        if (few) return groups_.push_back({first, last});
    }
    for (int at = first; at < last;) {
        const unsigned digit = key_digit(key(at), level);
        int end = at + 1;
        while (end < last && key_digit(key(end), level) == digit) end++;
        divide(tree, at, end, level + 1);
        at = end;
    }
}

}  // namespace g6
