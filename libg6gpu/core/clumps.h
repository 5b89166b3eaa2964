// SPDX-License-Identifier: MIT
// Whether the j-particles lie in clumps that are far apart for their sizes, as two clusters do that
// have not met yet.
//
// A device may compute squared distances from positions relative to one centre, which leaves few
// digits to pairs that are much nearer to each other than to the centre, and sum such pairs by
// other, slower means.  In a clump away from the centre an i-particle has such a pair in nearly
// every batch of j-particles that the device sums together.  Then it is faster to sum all pairs by
// the other means.
//
// Invariants
//  * The answer follows from the j-particles in slots 0 ... nj-1 and the time alone, so that a
//    block has the same sums on any number of devices and whatever was computed before.
//  * It is about speed.  Forces are right either way.
#pragma once

#include "../particles/jstore.h"

namespace g6 {

// Pairs of a block from which on the answer is worth its time, some microseconds.  No device may
// need it for smaller blocks.
constexpr double kLeastPairsToAsk = 1 << 28;

// nj > 0.  Takes a sample of 32 j-particles, one of each 32nd part of the addresses, or fewer where
// slots are empty.  Its centre is the median of each coordinate.  True if at least a quarter of the
// sample has another one of it within 2^-10 of its distance from the centre.
bool in_far_clumps(const JStore &store, int nj, double t, bool use_snap);

}  // namespace g6
