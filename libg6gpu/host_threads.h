// SPDX-License-Identifier: MIT
// How many threads copy n particles on the host: one for a small block, whose threads would take
// longer to wake.
#pragma once

#include <algorithm>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace g6 {

inline int host_threads(int n)
{
    constexpr int kPerThread = 2048, kMost = 8;
#ifdef _OPENMP
    return std::max(1, std::min({n / kPerThread, kMost, omp_get_max_threads()}));
#else
    (void)n;
    return 1;
#endif
}

}  // namespace g6
