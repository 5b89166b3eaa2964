// SPDX-License-Identifier: MIT
// How neighbour lists are made in two passes: a warp looks at one slice of the j-particles for one
// i-particle, and counts its entries first; with their offsets it writes them.  OpenCL has slices
// of its own (backends/opencl/list_slices.h): there one item has a slice, which is shorter where
// i-particles are few.
#pragma once

#include <algorithm>

namespace g6::cuda {

struct ListPlan {
    int slices;
    int length;  // slots of a slice: whole warps
};

// Slices of 4096 slots keep a device busy with few i-particles.  With many there are fewer and
// longer ones: the counts, one for each i-particle and slice, would fill the memory else.
// ni, nj > 0; slices is within the rows of a grid, and ni slices within int where ni is.
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
