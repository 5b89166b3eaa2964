// SPDX-License-Identifier: MIT
// std::sort() with up to 32 threads: parts are sorted at the same time, then merged by pairs, the
// last pair by one thread.  Fewer than 131072 elements are sorted by one thread.
// Equal elements may come in any order, as from std::sort().
#pragma once

#include "parallel.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace g6tools {

template <class T, class Less = std::less<T>> void parallel_sort(std::vector<T> &v, Less less = {})
{
    constexpr std::size_t kParts = 32, kLeast = 4096;  // elements of a part that is worth a thread
    if (v.size() < kParts * kLeast) return std::sort(v.begin(), v.end(), less);
    const auto at = [&](std::size_t part) {
        return v.begin() + static_cast<std::ptrdiff_t>(v.size() * part / kParts);
    };
    parallel_for(kParts, 1, [&](std::size_t k) { std::sort(at(k), at(k + 1), less); });
    for (std::size_t width = 1; width < kParts; width *= 2)
        parallel_for(kParts / (2 * width), 1, [&](std::size_t pair) {
            const std::size_t k = 2 * width * pair;
            std::inplace_merge(at(k), at(k + width), at(k + 2 * width), less);
        });
}

}  // namespace g6tools
