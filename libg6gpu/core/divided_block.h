// SPDX-License-Identifier: MIT
// A block on the devices of a set: which devices compute it (division.h), and their work from the
// start to the sums.
//
// Invariants
//  * The devices of a block are the first ones of the set.  In a direct sum each device computes
//    some of the i-particles, in an order that follows from the whole block (Block::whole_ni).  So
//    any number of devices of one kind gives the same bits.
//  * A device that fails throws DeviceFailure.
#pragma once

#include "device_particles.h"
#include "devices.h"
#include "i_particles.h"
#include "neighbours.h"

namespace g6 {

// What the cluster asks of all devices of a block together.
struct BlockRequest : BlockTask {
    IParticles *i;
    int i_words;  // of the rows staged for the first start; 0: none are staged (backend.h)
};

// Which devices compute a block, and what each of them gets.
struct Division {
    // True: each device gets all i-particles, and walks for a part of them that it finds itself.
    // False: each gets some of them.
    bool of_walk = false;
    size_t active = 1;  // the devices that are started
    int parts = 1;      // the first of these, which compute
};

// Chooses the devices for a block.  changed: j-particles that are dirty.
Division divide(const DeviceSet &devices, DeviceParticles &particles, const BlockRequest &request,
                int changed);

class DividedBlock {
public:
    // Starts the devices, which have been sent the block's j-particles.
    DividedBlock(DeviceSet &devices, const Division &division, const BlockRequest &request);

    // Waits for the sums [ni]; nn_slot is the address of the nearest neighbour, or -1.  They are in
    // `memory` or in a device's memory, there until the next start or Device::stage_i().
    SumsView finish(HostBuffer<G6Sums> &memory);
    void neighbours(NeighbourLists &lists, bool by_index);
    // Work of the walks since the start: pairs and cells that were summed, and cells looked at.
    struct WalkWork {
        double interactions, tests;
    };
    WalkWork walk_work() const;

private:
    // Where device d's part of the i-particles begins.
    int first_i(size_t d) const;
    int part_ni(size_t d) const { return first_i(d + 1) - first_i(d); }
    bool reads_staged_i() const;
    Block block_for(size_t d) const;
    void start();
    size_t start_together();
    SumsView finish(size_t d, G6Sums *memory);

    DeviceSet &devices_;
    const Division division_;
    const BlockRequest request_;
    DeviceCounters counters_at_start_;
};

}  // namespace g6
