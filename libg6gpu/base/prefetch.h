// SPDX-License-Identifier: MIT
// Requests lines of memory for the cache of this core, so that they are there when they are used.
// A request has no other effect, and any address is allowed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace g6 {

// Calls f with each line of memory that holds some of these bytes.
template <class F> inline void each_line(const void *first, std::size_t bytes, F &&f)
{
    constexpr std::uintptr_t kLine = 64;
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    for (std::uintptr_t at = begin / kLine * kLine; at < begin + bytes; at += kLine)
        f(reinterpret_cast<const char *>(at));
}

// Requests these bytes in order to write them.  A core's stores take effect one after the other:
// where several stores go to lines that the core lacks, each store waits for the one before.  For
// generic x86-64 the compiler turns __builtin_prefetch(line, 1) into a request to read.  Therefore
// the instruction is written out here.  Processors that do not have it ignore it.
inline void request_to_write(const void *first, std::size_t bytes)
{
    each_line(first, bytes, [](const char *line) {
#if defined(__x86_64__)
        asm volatile("prefetchw %0" ::"m"(*line));
#else
        __builtin_prefetch(line, 1);
#endif
    });
}

// Requests these bytes in order to read them.  This pays where another thread has just written
// them: a reader that did not request all lines at once would wait for each line.
[[gnu::always_inline]] inline void request_to_read(const void *first, std::size_t bytes)
{
    each_line(first, bytes, [](const char *line) { __builtin_prefetch(line); });
}

}  // namespace g6
