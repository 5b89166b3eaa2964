// SPDX-License-Identifier: MIT
// How the slots are cut for neighbour lists: an item looks at one slice for one i-particle.
#pragma once

#include <algorithm>

namespace g6::opencl {

// Slots of a slice: long enough to be worth its count, short enough that few i-particles fill the
// device; longer where the counts, one for each i-particle and slice, would be more than 2^22 and
// than there are i-particles.  ni, nj > 0.
inline int slice_length(int ni, int nj, int compute_units)
{
    constexpr long long kShortest = 64, kLongest = 4096, kItemsPerUnit = 512, kCounts = 1 << 22;
    const long long filling = std::max(1LL, compute_units * kItemsPerUnit / ni),
                    most = std::max(1LL, kCounts / ni);
    const long long length = std::min(std::max(nj / filling, kShortest), kLongest);
    return static_cast<int>(std::max(length, (nj - 1) / most + 1));
}

}  // namespace g6::opencl
