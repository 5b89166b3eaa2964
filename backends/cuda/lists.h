// SPDX-License-Identifier: MIT
// How blocks of threads search for neighbour lists (lists.cu).
#pragma once

#include "../gpu/list_plan.h"

namespace g6::cuda {

constexpr int kListThreads = 128;  // of a block
constexpr int kListBatch = 256;    // slots that a block reads together

// Threads have one or four i-particles.  2112 blocks keep the device busy, 16 on each
// multiprocessor of an H200.
constexpr gpu::ListShape kListShape = {kListThreads, kListBatch, 1, 4, 2112};

}  // namespace g6::cuda
