// SPDX-License-Identifier: MIT
// How the slots are cut for neighbour lists: an item looks at one slice for one i-particle.
#pragma once

#include <algorithm>

namespace g6::opencl {

// The number of slots in a slice.  Each pair of an i-particle and a slice has a work-item and a
// count in memory.  A slice has 64 slots or more, because shorter ones do not repay their count,
// and up to 4096, where few i-particles need many slices to fill the device.  With many i-particles
// it may have more: ni times the number of slices is at most 2^22, or ni.  ni, nj > 0.
inline int slice_length(int ni, int nj, int compute_units)
{
    constexpr long long kShortest = 64, kLongest = 4096, kItemsPerUnit = 512, kCounts = 1 << 22;
    const long long filling = std::max(1LL, compute_units * kItemsPerUnit / ni),
                    most = std::max(1LL, kCounts / ni);
    const long long length = std::min(std::max(nj / filling, kShortest), kLongest);
    return static_cast<int>(std::max(length, (nj - 1) / most + 1));
}

}  // namespace g6::opencl
