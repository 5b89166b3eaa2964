// SPDX-License-Identifier: MIT
// Whether the j-particles lie in clumps whose distances are large for their sizes, as two clusters
// before they collide.
//
// Tensor cores compute squared distances from positions relative to one centre (cuda/tensor.cu).
// A pair that is much closer than its distance from the centre then has few digits left, and is
// summed by a slower method.  In a clump away from the centre an i-particle has such a pair in
// nearly every batch of j-particles that the device sums together.  It is then faster to sum all
// pairs by the slower method.
//
// Invariants
//  * The answer follows from the j-particles in slots 0 ... nj-1 and the time alone, so that a
//    block has the same sums on any number of devices and whatever was computed before.
//  * The answer changes the speed only: forces are right either way.
#pragma once

#include "../particles/jstore.h"

namespace g6 {

// The answer takes some microseconds, so the core asks only for blocks of at least this many pairs.
// No device may need it for smaller blocks.
constexpr double kLeastPairsToAsk = 1 << 28;

// nj > 0.  Takes a sample of 32 j-particles, one of each 32nd part of the addresses, or fewer where
// slots are empty.  Its centre is the median of each coordinate.  True if at least a quarter of the
// sampled particles have another one closer than 2^-10 of their own distance from the centre.
bool in_far_clumps(const JStore &store, int nj, double t, bool use_snap);

}  // namespace g6
