// SPDX-License-Identifier: MIT
// A page of memory that can be made read-only, and behind which no memory is mapped: a write into
// the protected page, or a read past its end, kills the process.
#pragma once

#include "verdict.h"

#include <algorithm>
#include <cstddef>
#include <sys/mman.h>
#include <unistd.h>

namespace g6check {

class Page {
public:
    Page() : size_(static_cast<size_t>(sysconf(_SC_PAGESIZE)))
    {
        void *p =
            mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) throw NotOffered{"no memory pages to test with"};
        start_ = static_cast<char *>(p);
        mprotect(start_ + size_, size_, PROT_NONE);
    }
    ~Page() { munmap(start_, 2 * size_); }
    Page(const Page &) = delete;
    Page &operator=(const Page &) = delete;

    // Each array begins at a multiple of 64 bytes.
    template <class T> T *add_array(int n, T value)
    {
        T *place = reinterpret_cast<T *>(start_ + used_);
        std::fill(place, place + n, value);
        used_ += (n * sizeof(T) + 63) / 64 * 64;
        return place;
    }
    template <class T> T *add(T value) { return add_array(1, value); }
    // Puts a value into the last bytes of the page.
    template <class T> T *last(T value)
    {
        T *place = reinterpret_cast<T *>(start_ + size_ - sizeof(T));
        *place = value;
        return place;
    }
    void protect() { mprotect(start_, size_, PROT_READ); }

private:
    size_t size_, used_ = 0;
    char *start_;
};

}  // namespace g6check
