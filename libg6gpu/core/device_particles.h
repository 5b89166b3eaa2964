// SPDX-License-Identifier: MIT
// Tracks which j-particles each device of a set holds, and sends the missing ones.
//
// Invariants
//  * Each device holds all j-particles, in the slots of their addresses, when it is started for a
//    block, unless the block walks the host's tree.  A device misses the changes of blocks that it
//    is not started for.  This class keeps their addresses (lag.h), and sends these particles
//    before the next block that the device is started for.
//  * A device that cannot hold all j-particles fails, and so leaves the set.
//  * A device with a tree of its own gives the same bits as another such device only if both have
//    had the same j-particles and the same walks since clear() (backend.h).  So the first devices
//    of the set are the walkers, and each of them gets every change and every walk.  No other
//    device walks until clear().
#pragma once

#include "devices.h"
#include "lag.h"

#include "../particles/jstore.h"

#include <vector>

namespace g6 {

class DeviceParticles {
public:
    explicit DeviceParticles(DeviceSet &devices) : devices_(devices) {}

    // The set has other devices, or it is not known what they hold.
    void forget() { known_ = false; }
    // Device d has left the set.  The others keep what they hold.
    void lose(size_t d);
    // Whether the devices that have not failed hold the trees that later walks need, and all
    // j-particles but those that this object knows to be missing.
    bool others_hold_all(const DeviceFailure &failure) const;

    // Where it is not known what the devices hold, clears them and marks all particles as dirty.
    // send() comes next.
    void prepare(JStore &store);
    // How many devices are walkers: as many as division.h would choose for the first walk since
    // clear() if all of its nj bodies were i-particles.  A small system has fewer.  rest: as in
    // DivisionWork.
    int walkers(int nj, bool rest);
    // Sends the first `active` devices the dirty particles of the store and all others that they
    // lack.  Returns how many particles the first device was sent.
    int send(const JStore &store, size_t active);
    // Takes note that no device gets the dirty particles: their block walks the host's tree.
    void leave_unsent(const JStore &store);

private:
    int send_to(size_t d, const JStore &store);
    int catch_up(size_t d, const JStore &store);
    void stage(size_t d, const JStore &store, const Addresses &addresses, int store_words);

    DeviceSet &devices_;
    bool known_ = false;          // it is known what the devices hold
    std::vector<Lag> lags_;       // [device], if known_
    int walkers_ = 0;             // 0: there was no walk since clear()
    bool leader_stages_ = false;  // other devices may read the rows staged on the first one
};

}  // namespace g6
