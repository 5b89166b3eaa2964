// SPDX-License-Identifier: MIT
// Requests memory for a write before its time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace g6 {

// Requests the lines of memory that hold these bytes, in order to write them.  The processor's
// stores come one after the other: where several go to lines that its core lacks, each waits for
// the one before.  The compiler's own prefetch for writing is that for reading, unless it compiles
// for processors that have this one.
inline void request_to_write(const void *first, std::size_t bytes)
{
    constexpr std::uintptr_t kLine = 64;
    const auto begin = reinterpret_cast<std::uintptr_t>(first);
    for (std::uintptr_t at = begin / kLine * kLine; at < begin + bytes; at += kLine) {
        const char *const line = reinterpret_cast<const char *>(at);
#if defined(__x86_64__)
        asm volatile("prefetchw %0" ::"m"(*line));
#else
        __builtin_prefetch(line, 1);
#endif
    }
}

}  // namespace g6
