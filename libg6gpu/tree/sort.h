// SPDX-License-Identifier: MIT
// A stable parallel radix sort of (key, value) pairs, and the threads that the tree uses.
#pragma once

#include "../base/host_memory.h"
#include "../base/host_threads.h"

#include <cstdint>

namespace g6 {

struct KeyValue {
    std::uint64_t key;
    std::int64_t value;
};

// Sorts data[n] by the lowest `bits` bits of the key, ascending; pairs of one key keep their order.
// spare [n].  The result does not depend on the number of threads.
void radix_sort(KeyValue *data, KeyValue *spare, std::size_t n, int bits, int threads);

// Threads for work on n particles: one below 2 kTreeLeast (host_threads.h).
constexpr std::size_t kTreeLeast = 4096;
inline int tree_threads(std::size_t n, int wanted)
{
    return threads_for(n, kTreeLeast, wanted);
}

}  // namespace g6
