// SPDX-License-Identifier: MIT
// A stable parallel radix sort of (key, value) pairs, and the threads and arrays that the tree
// uses.
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
inline int tree_threads(std::size_t n, int wanted, int (*pool)(int wanted) = pool_threads)
{
    return threads_for(n, kTreeLeast, wanted, pool);
}

// An array of plain data that is filled anew after each resize(): growing keeps nothing.  A
// resize() that throws for lack of memory leaves it empty.
template <class T> class Array {
public:
    T *resize(std::size_t n)
    {
        if (n > capacity_) {
            data_.reset();
            size_ = capacity_ = 0;
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
