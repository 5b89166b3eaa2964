// SPDX-License-Identifier: MIT
// The ways in which a device computes a block.  Each is a class derived from Step:
//   FewStep     few i-particles, by a kernel that stays on the device (few_step.h)
//   DirectStep  a direct sum for more i-particles (direct_step.h)
//   WalkStep    a walk of the tree (walk_step.h)
//
// Invariants
//  * The device has one object of each class, which owns the memory that only this class uses.
//  * The device calls finish() and list_neighbours() only of the object that it started last.
#pragma once

#include "i_particles.h"
#include "j_particles.h"
#include "neighbour_lists.h"
#include "results.h"

namespace g6::cuda {

// The parts of a device that its Step objects share.
struct SharedParts {
    Stream &stream;
    DeviceCounters &counters;
    JParticles &j;
    DeviceIParticles &i;
    Results &results;
    DeviceLists &lists;
    const DeviceOptions &options;
    int multiprocessors;
};

class Step {
public:
    virtual ~Step() = default;
    // Launches the block.  Its particles have been received (JParticles::receive()); those for
    // FewStep are staged.  r: the block as the kernels need it.
    virtual void start(const Request &r) = 0;
    // Waits for the sums of the block, which are in SharedParts::results then.
    virtual void finish() = 0;
    // Makes the neighbour lists of the block in SharedParts::lists.
    virtual void list_neighbours() = 0;
};

}  // namespace g6::cuda
