// SPDX-License-Identifier: MIT
// How many threads a loop of the host (parallel.h) has.  A thread begins its work 1 to 2 us after
// the caller, so that it pays only for work that takes longer.
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

// Threads for copying n particles of some 130 bytes each: one thread below kFewest particles, else
// one for each kLeast particles, up to a limit.  The limit is the largest of
//     half of the available threads, but at least kFew and at most kMany
//     n / kLarge, but at most kMany
//     n / kShare
// More threads copy no faster, and more often wait for one that lacks a processor
// (docs/measurements/host-threads.md).
inline int host_threads(int n, int wanted)
{
    constexpr int kFewest = 512, kFew = 4, kMany = 16, kLarge = 1024, kShare = 8192;
    constexpr std::size_t kLeast = 128;
    if (n < kFewest || !loop_pool()) return 1;
    const int half = (loop_pool()->threads(wanted) + 1) / 2,
              most = std::max(
                  {std::clamp(half, kFew, kMany), std::min(n / kLarge, kMany), n / kShare});
    return std::min(threads_for(static_cast<std::size_t>(n), kLeast, wanted), most);
}

}  // namespace g6
