// SPDX-License-Identifier: MIT
// Stores that go past the caches, for large arrays that this processor does not read again soon.  A
// plain store first reads the line of memory that it changes, which doubles the traffic of filling
// a large array.
//
// Invariants
//  * A thread calls stream_end() after its last store, before another thread or a device is told
//    that the array is filled.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace g6 {

// From this number of particles on an array is filled by such stores.  Its 10 MB or more do not
// stay in the caches until a device or the next loop reads them.
constexpr int kLeastStreamed = 1 << 18;

// bytes: a multiple of 8, as are both addresses.
inline void stream_copy(void *to, const void *from, std::size_t bytes)
{
#if defined(__x86_64__)
    for (std::size_t b = 0; b < bytes; b += 8) {
        long long word;
        std::memcpy(&word, static_cast<const char *>(from) + b, 8);
        _mm_stream_si64(reinterpret_cast<long long *>(static_cast<char *>(to) + b), word);
    }
#else
    std::memcpy(to, from, bytes);
#endif
}

inline void stream_end()
{
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

}  // namespace g6
