// SPDX-License-Identifier: MIT
// Loops of a tool on the threads of the library's own loops (g6_parallel() in g6lib.h).
//
// A tool that opens GRAPE libraries itself must not be linked to libg6gpu (Makefile), so that it
// finds g6_parallel() in the libg6gpu that it opens as "own".
#pragma once

#include "shared_library.h"

#include "../../include/g6lib.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>

#pragma weak g6_parallel  // links no tool to libg6gpu

namespace g6tools {

inline int library_loop(int n, int size, g6_part_function part, void *user)
{
    static const auto loop = [] {
        decltype(&g6_parallel) found = g6_parallel;
        if (!found) SharedLibrary("own").find("g6_parallel", found);
        return found;
    }();
    return loop(n, size, part, user);
}

// Calls f(first, end) for parts of 0 ... n-1 of up to `size` numbers, which together hold each
// number once.  Throws an exception of f on the calling thread when all parts are done.
template <class F> void parallel_parts(std::size_t n, std::size_t size, F &&f)
{
    if (n <= size) return f(std::size_t{0}, n);
    struct Loop {
        F &f;
        std::mutex mutex;
        std::exception_ptr exception;
    } loop{f, {}, {}};
    const auto part = [](int first, int end, void *user) {
        Loop &l = *static_cast<Loop *>(user);
        try {
            l.f(static_cast<std::size_t>(first), static_cast<std::size_t>(end));
        } catch (...) {
            const std::lock_guard<std::mutex> lock(l.mutex);
            l.exception = std::current_exception();
        }
    };
    library_loop(static_cast<int>(n), static_cast<int>(size), part, &loop);
    if (loop.exception) std::rethrow_exception(loop.exception);
}

// Calls f(k) for k = 0 ... n-1.  A thread takes `size` numbers at a time, which should take 5 us or
// more together, so that another thread pays.
template <class F> void parallel_for(std::size_t n, std::size_t size, F &&f)
{
    parallel_parts(n, size, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; k++) f(k);
    });
}

// The least k of 0 ... n-1 for which f(k) holds, or n; f is called for every k.
template <class F> std::size_t parallel_first(std::size_t n, std::size_t size, F &&f)
{
    std::atomic<std::size_t> first{n};
    parallel_for(n, size, [&](std::size_t k) {
        if (!f(k)) return;
        for (std::size_t known = first; k < known && !first.compare_exchange_weak(known, k);) {
        }
    });
    return first;
}

}  // namespace g6tools
