// SPDX-License-Identifier: MIT
// The slices of the two passes that make neighbour lists.  A warp looks at one slice of the
// j-particles for one i-particle: the first pass counts its entries, the second writes them where
// the sum of the counts before says.  OpenCL has slices of its own, one to a work-item
// (backends/opencl/list_slices.h).
#pragma once

#include <algorithm>

namespace g6::cuda {

struct ListPlan {
    int slices;
    int length;  // slots of a slice: a multiple of 32
};

// Slices of 4096 slots keep a device busy with few i-particles.  With many i-particles the slices
// are fewer and longer, because each i-particle and slice has a count in memory.  ni, nj > 0.
//     slices       at most 65535, the rows of a grid
//     ni * slices  at most 2^22, or ni
inline ListPlan list_plan(int ni, int nj)
{
    constexpr long long kLength = 4096, kCounts = 1 << 22, kRows = 65535, kWarp = 32;
    const long long most = std::max(1LL, std::min(kRows, kCounts / ni));
    const long long slices = std::min(most, (nj - 1) / kLength + 1);
    const long long each = (nj - 1) / slices + 1;
    const long long length = std::min((each + kWarp - 1) / kWarp * kWarp, 0x7fffffe0LL);
    return {static_cast<int>((nj - 1) / length + 1), static_cast<int>(length)};
}

}  // namespace g6::cuda
