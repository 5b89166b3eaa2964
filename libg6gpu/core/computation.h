// SPDX-License-Identifier: MIT
// The computation of one block on the devices of a cluster: a state machine that brings a block
// from its firsthalf to its sums.
//
//            begin()            launch            finish
//     kNone --------> kUnsent --------> kStarted --------> kFinished
//                                          ^                   |
//                                    start |                   | more outputs are wanted
//                                          |                   v (of a block in kStarted too)
//     any but kNone --------> kLost ----> kReady <-------------+
//             a device fails       reload
//
// bring_to() takes the steps that lead to a goal, one after the other.  A caller names the state
// that it needs and the outputs, and never has to know where the block is or what has failed.
//
// Invariants
//  * A block can be computed again at any time, with the j-particles and the settings of the moment
//    of its launch.  While there is a block, only its launch makes the store commit what the client
//    has written.  So the last commit has the block's j-particles, and reload() sends these
//    (JStore::rewind()).
//  * The failure of a device never shows: it moves the block to kLost, and reload() back to kReady
//    on the devices that are left.  A call throws only when nothing can compute or when the host
//    has no memory.  Then the block stays in its state, and the next call tries the step again.
//    Only a launch that throws drops the block.
//  * After a failure the devices get all particles once more, unless it is certain which particles
//    they hold.  This is certain when one of several devices fails after all of them have started.
//    The devices that are left then keep their particles and trees, so that a run goes on with the
//    same bits.
#pragma once

#include "cluster_id.h"
#include "device_particles.h"
#include "divided_block.h"
#include "../tree/host_tree.h"

#include <optional>

namespace g6 {

class Computation {
public:
    // In the order in which a block passes them, which bring_to() relies on.
    enum class State {
        kNone,      // there is no block
        kUnsent,    // the devices have not got all j-particles that the block needs
        kLost,      // a device failed: the others must get the block's j-particles
        kReady,     // the devices hold the block's j-particles, and have not been asked for sums
        kStarted,   // the devices compute
        kFinished,  // the sums are in sums()
    };

    // Counts in stats what is sent, waited for, repeated and recovered.
    Computation(ClusterId id, JStore &store, g6_stats &stats)
        : id_(id), store_(store), stats_(stats)
    {
    }

    // Opens the devices that the settings name.  Only while there is no block.
    void open_devices(const Config &settings);
    const DeviceSet &devices() const { return devices_; }

    // A new block.  request.i must stay as it is until the block is dropped.  A block without i- or
    // j-particles is kFinished at once.
    void begin(std::shared_ptr<const Config> settings, const BlockRequest &request);
    // Ends the block.
    void drop() { state_ = State::kNone; }
    bool has_block() const { return state_ != State::kNone; }
    const BlockRequest &request() const { return request_; }

    // Brings the block to kStarted or kFinished, with these outputs beside those that were wanted
    // already.  Only with a block.
    void bring_to(State goal, unsigned want);
    // Of a block in kFinished: one for each i-particle.
    SumsView sums() const { return sums_; }
    // Finishes the block and gets its neighbour lists.
    void neighbours(NeighbourLists &lists, bool by_index);

    // Forgets block and particles, for a cluster that is closed.  The devices stay open.
    void forget();

private:
    void want_more(unsigned want);
    void need_readable_sums();
    void launch();
    void reload();
    void start();
    void finish();
    void lose(const DeviceFailure &failure);
    void abandon();
    void send_particles();
    void make_tree();

    const ClusterId id_;
    JStore &store_;
    g6_stats &stats_;
    DeviceSet devices_;
    DeviceParticles particles_{devices_};
    HostTree tree_;

    State state_ = State::kNone;
    std::shared_ptr<const Config> settings_;
    BlockRequest request_{};
    Division division_;                    // of the block, once its particles have been sent
    std::optional<DividedBlock> started_;  // in kStarted and kFinished, if it has particles
    // In kLost: the failure that the next reload() handles.  None after a reload() that has thrown;
    // the next one then opens all devices anew.
    std::optional<DeviceFailure> failure_;
    bool all_had_started_ = false;    // in kLost: start() had succeeded on all devices of the block
    HostBuffer<G6Sums> sums_memory_;  // for sums, where no device has them in its own memory
    SumsView sums_;                   // of a block in kFinished
};

}  // namespace g6
