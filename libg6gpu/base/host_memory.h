// SPDX-License-Identifier: MIT
// Large uninitialised host arrays of plain data, on huge pages where the system offers them.  With
// pages of 4 KiB the first touch of a page costs several times what writing its particles costs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

namespace g6 {

// Bytes of memory that the machine has.  The system may grant a larger array, and then kills the
// program while it fills the array.
inline double physical_memory()
{
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct FreeMemory {
    void operator()(void *p) const { std::free(p); }
};
template <class T> using HostArray = std::unique_ptr<T[], FreeMemory>;

// n elements, 64-byte aligned at least; throws std::bad_alloc.
template <class T> HostArray<T> host_array(size_t n)
{
    static_assert(std::is_trivially_copyable<T>::value, "plain data only");
    constexpr size_t kHuge = size_t{2} << 20;
    const size_t bytes = std::max<size_t>(n, 1) * sizeof(T);
    const size_t align = bytes >= 2 * kHuge ? kHuge : 64;
    const size_t rounded = (bytes + align - 1) / align * align;
    if (rounded < bytes) throw std::bad_alloc();
    void *p = std::aligned_alloc(align, rounded);
    if (!p) throw std::bad_alloc();
    if (align == kHuge) madvise(p, rounded, MADV_HUGEPAGE);  // a hint: failure changes nothing
    return HostArray<T>(static_cast<T *>(p));
}

// A growing list of plain data whose new elements are left uninitialised: std::vector would write
// a million of them with one thread before they are filled.
template <class T> class HostBuffer {
public:
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    size_t capacity() const { return capacity_; }
    void clear() { size_ = 0; }
    T *data() { return data_.get(); }
    const T *data() const { return data_.get(); }
    T &operator[](size_t k) { return data_[k]; }
    const T &operator[](size_t k) const { return data_[k]; }
    T *begin() { return data_.get(); }
    T *end() { return data_.get() + size_; }
    const T *begin() const { return data_.get(); }
    const T *end() const { return data_.get() + size_; }

    // Elements that are in both the old and the new size keep their values.
    void resize(size_t n)
    {
        if (n > size_) append(n - size_);
        size_ = n;
    }

    // Replaces all elements by n uninitialised ones and returns the first.  A call that throws
    // leaves the list empty.
    T *renew(size_t n)
    {
        if (n > capacity_) {
            data_.reset();
            size_ = capacity_ = 0;
            const size_t capacity = n + n / 8;  // for a list that grows slowly
            data_ = host_array<T>(capacity);
            capacity_ = capacity;
        }
        size_ = n;
        return data_.get();
    }

    // Reserves memory for n elements in all, so that adding them cannot fail.
    void reserve(size_t n)
    {
        if (n <= capacity_) return;
        HostArray<T> moved = host_array<T>(n);
        if (size_) std::memcpy(static_cast<void *>(moved.get()), data_.get(), size_ * sizeof(T));
        data_ = std::move(moved);
        capacity_ = n;
    }

    // Makes room for n more elements.  Where memory grows, it at least doubles.
    void make_room(size_t n)
    {
        if (size_ + n > capacity_) grow(size_ + n);
    }

    // Adds n uninitialised elements and returns the first of them.
    T *append(size_t n)
    {
        make_room(n);
        T *added = data_.get() + size_;
        size_ += n;
        return added;
    }
    void add(const T &element) { *append(1) = element; }

private:
    // Not inline: callers that append in a tight loop keep their registers.
    [[gnu::noinline]] void grow(size_t n) { reserve(std::max(n, 2 * capacity_)); }

    HostArray<T> data_;
    size_t size_ = 0, capacity_ = 0;
};

}  // namespace g6
