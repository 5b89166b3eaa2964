// SPDX-License-Identifier: MIT
// The slices of the two passes that make neighbour lists (lists.cu).  A thread looks at one slice
// of the j-particles for per_thread i-particles: the first pass counts their entries, the second
// writes them behind those of earlier i-particles and slices.  OpenCL has slices of its own, one to
// a work-item (backends/opencl/list_slices.h).
#pragma once

#include <algorithm>

namespace g6::cuda {

constexpr int kListThreads = 128;  // of a block
constexpr int kListStage = 256;    // slots that a block reads together
constexpr int kListKept = 4;       // entries of an i-particle and slice that the first pass keeps

struct ListPlan {
    int slices;
    int length;      // slots of a slice: a multiple of kListStage
    int per_thread;  // i-particles: 1 or 4
};

// Enough slices that some 2000 blocks keep the device busy.  ni, nj > 0.
//     slices       at most 65535, the rows of a grid
//     ni * slices  at most 2^22, or ni, because each has a count in memory
inline ListPlan list_plan(int ni, int nj)
{
    constexpr long long kBlocks = 2112, kCounts = 1 << 22, kRows = 65535, kStage = kListStage;
    const int per_thread = ni >= 4096 ? 4 : 1;
    const long long i_tiles = (ni - 1) / (kListThreads * per_thread) + 1;
    const long long most = std::max(1LL, std::min(kRows, kCounts / ni));
    const long long slices = std::min({most, (kBlocks - 1) / i_tiles + 1, (nj - 1) / kStage + 1});
    const long long each = (nj - 1) / slices + 1;
    const long long length = std::min((each + kStage - 1) / kStage * kStage, 0x7fffff00LL);
    return {static_cast<int>((nj - 1) / length + 1), static_cast<int>(length), per_thread};
}

}  // namespace g6::cuda
