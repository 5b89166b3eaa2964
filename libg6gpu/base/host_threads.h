// SPDX-License-Identifier: MIT
// How many threads a loop of the host (parallel.h) has: one for each amount of work that takes
// longer than a thread's way into the loop, 2 to 3 us, and at most pool_threads().
#pragma once

#include "parallel.h"

#include <algorithm>
#include <cstddef>

namespace g6 {

// Threads for a loop over n items, of which `least` pay for one more thread.  wanted: the setting
// "threads".
inline int threads_for(std::size_t n, std::size_t least, int wanted)
{
    if (n < 2 * least || !loop_pool()) return 1;
    return static_cast<int>(
        std::min<std::size_t>(n / least, static_cast<std::size_t>(loop_pool()->threads(wanted))));
}

// Threads for copying n particles, of some 130 bytes each: one for each kLeast of them up to kFew
// threads, which copy blocks of some thousand particles as fast as more and wait less often for a
// thread that lacks a processor.  Whole systems have one thread for each kShare particles
// (docs/measurements/host-threads.md).
inline int host_threads(int n, int wanted = 0)
{
    constexpr std::size_t kLeast = 256;
    constexpr int kFew = 8, kShare = 8192;
    return std::min(threads_for(static_cast<std::size_t>(std::max(n, 0)), kLeast, wanted),
                    std::max(kFew, n / kShare));
}

}  // namespace g6
