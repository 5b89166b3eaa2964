// SPDX-License-Identifier: MIT
// The arguments and results of one call as bytes of a record (format.h).
#pragma once

#include "format.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace g6::trace {

// An array of count elements as an argument of a call; NULL is allowed.
template <class T> struct Array {
    const T *data;
    std::ptrdiff_t count;
};
template <class T> Array<T> array(const T *data, int count)
{
    return {data, std::max(count, 0)};
}
// x[count][3]
inline Array<double> rows(const double (*x)[3], int count)
{
    return {x ? x[0] : nullptr, std::ptrdiff_t{3} * std::max(count, 0)};
}
inline Array<double> vec3(const double *x)
{
    return {x, 3};
}

class Fields {
public:
    void clear() { size_ = 0; }
    const char *data() const { return bytes_.data(); }
    std::size_t size() const { return size_; }

    // Numbers, arrays and texts in their order.  Throws std::bad_alloc and std::length_error.
    template <class... T> void add(const T &...values) { (one(values), ...); }

private:
    void one(int number) { put(&number, sizeof number); }
    void one(double number) { put(&number, sizeof number); }
    void one(const char *text)
    {
        one(Array<char>{text, text ? static_cast<std::ptrdiff_t>(std::strlen(text)) : 0});
    }
    template <class T> void one(const Array<T> &a)
    {
        if (a.count > INT32_MAX) throw std::length_error("an array is too long for a record");
        const bool zeros = a.data && a.count > 0 && a.count <= kMostZeros && all_zero(a);
        const auto count = static_cast<std::int32_t>(!a.data ? -1 : zeros ? -2 - a.count : a.count);
        put(&count, sizeof count);
        if (count > 0) put(a.data, static_cast<std::size_t>(a.count) * sizeof(T));
    }

    template <class T> static bool all_zero(const Array<T> &a)
    {
        constexpr T zero{};
        for (std::ptrdiff_t k = 0; k < a.count; k++)
            if (std::memcmp(&a.data[k], &zero, sizeof zero) != 0) return false;
        return true;
    }
    void put(const void *from, std::size_t n)
    {
        if (bytes_.size() - size_ < n) bytes_.resize(std::max(2 * bytes_.size(), size_ + n + 256));
        std::memcpy(bytes_.data() + size_, from, n);
        size_ += n;
    }

    std::vector<char> bytes_;
    std::size_t size_ = 0;
};

}  // namespace g6::trace
