// SPDX-License-Identifier: MIT
// Stable parallel radix sort of (key, value) pairs, and the threads and arrays that the tree uses.
#pragma once

#include "../../backends/common/host_memory.h"

#include <algorithm>
#include <cstdint>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace g6 {

struct KeyValue {
    std::uint64_t key;
    std::int64_t value;
};

// Sorts data[n] by the lowest `bits` bits of the key, ascending; pairs of one key keep their order.
// spare [n].  The result does not depend on the number of threads.
void radix_sort(KeyValue *data, KeyValue *spare, std::size_t n, int bits, int threads);

// Threads for work on n particles: few of them take less time than waking others.  wanted 0: as
// OpenMP decides.
inline int tree_threads(std::size_t n, int wanted)
{
    constexpr std::size_t kPerThread = 4096;
#ifdef _OPENMP
    const int most = wanted > 0 ? wanted : omp_get_max_threads();
    return std::max(
        1, static_cast<int>(std::min<std::size_t>(n / kPerThread, static_cast<std::size_t>(most))));
#else
    (void)n, (void)wanted;
    return 1;
#endif
}

// An array of plain data that is filled anew each time: growing keeps nothing.
template <class T> class Array {
public:
    T *resize(std::size_t n)
    {
        if (n > capacity_) {
            data_.reset();
            capacity_ = 0;
            const std::size_t room = n + n / 8;  // a run that gains particles slowly
            data_ = host_array<T>(room);
            capacity_ = room;
        }
        size_ = n;
        return data_.get();
    }
    std::size_t size() const { return size_; }
    T *data() { return data_.get(); }
    const T *data() const { return data_.get(); }
    T &operator[](std::size_t k) { return data_[k]; }
    const T &operator[](std::size_t k) const { return data_[k]; }

private:
    HostArray<T> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace g6
