// SPDX-License-Identifier: MIT
// When direct sums on tensor cores pay (backends/cuda/tensor.cu).
#pragma once

namespace g6::gpu {

// Blocks from which on tensor cores save more time than it takes to lay the j-particles out for
// them.  The core looks for clumps from as many pairs on (kLeastPairsToAsk).
constexpr int kLeastOnTensors = 1024;
constexpr double kLeastPairsOnTensors = 1 << 28;

// Most j-particles on tensor cores.  Their batches take 2.7 GB with jerk, and up to half
// as much again where arrays have grown.
constexpr int kMostTensorSlots = 1 << 24;

// In clumps many i-particles have a close pair in every batch, so that the batch is summed pair by
// pair.
inline bool pays_on_tensors(int whole_ni, int nj, bool clumped)
{
    return whole_ni >= kLeastOnTensors &&
           static_cast<double>(whole_ni) * nj >= kLeastPairsOnTensors && !clumped;
}

}  // namespace g6::gpu
