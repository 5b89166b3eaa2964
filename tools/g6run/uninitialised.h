// SPDX-License-Identifier: MIT
// Vectors of numbers whose new elements are not set to zero: a parallel loop fills them.
#pragma once

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace g6run {

// resize() leaves new elements uninitialised.
template <class T> struct Uninitialised : std::allocator<T> {
    template <class U> struct rebind {
        using other = Uninitialised<U>;
    };
    template <class U> void construct(U *p) noexcept { ::new (static_cast<void *>(p)) U; }
    template <class U, class... Args> void construct(U *p, Args &&...args)
    {
        ::new (static_cast<void *>(p)) U(std::forward<Args>(args)...);
    }
};
template <class T> using Numbers = std::vector<T, Uninitialised<T>>;

}  // namespace g6run
