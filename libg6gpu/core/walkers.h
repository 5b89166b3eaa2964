// SPDX-License-Identifier: MIT
// The devices of a set that divide walks among them.
//
// A device with a tree of its own gives the bits of the others only if it has had the same
// j-particles and the same walks since clear() (backend.h).  So the devices that divide walks form
// a group, the first ones of the set, all of which get every change and every walk.  A device
// outside the group walks no more until clear().
//
// Devices of this process are in the group when a walk of all bodies would be divided among them,
// by division.h; a small system walks on fewer.  To a device of another process every change must
// be sent, so that its place in the group costs time even when it computes nothing.  It joins with
// the first walk if that is quicker with it, by division.h.  All such devices leave when the walks
// so far have taken 5 % longer with them, by the same model, than one device alone would have
// needed.
#pragma once

#include "division.h"

#include <algorithm>
#include <cstddef>

namespace g6 {

class Walkers {
public:
    // After clear() of all devices.
    void clear() { *this = Walkers{}; }

    // How many devices are in the group for this walk, of `size`.
    int of(const DivisionWork &work, int size, const Team &team)
    {
        const DeviceSpeed &speed = team.slowest;
        const int near = std::max(1, team.near);
        if (count_ == 0) {
            const int of_all_bodies = devices_for({work.nj, work.nj, true}, near, team);
            count_ = std::max(of_all_bodies, devices_for(work, size, team));
        }
        if (count_ <= near || !(speed.bytes_per_us > 0)) return count_;
        const double alone = time_of_one(work, speed);
        const int computing = devices_for(work, count_, team);
        lost_us_ += block_time(work, computing, team) - alone +
                    (count_ - std::max(computing, near)) * update_time(work, speed);
        alone_us_ += alone;
        if (lost_us_ > kTolerance * alone_us_) count_ = near;
        return count_;
    }
    // All devices, whatever it costs.
    int all(int size)
    {
        if (count_ == 0) count_ = size;
        return count_;
    }
    int count() const { return count_; }

    // Whether a device that can walk on is left without this one.
    bool outlives(std::size_t device) const
    {
        return count_ != 1 || static_cast<int>(device) >= count_;
    }
    // The device has left the set.
    void lose(std::size_t device)
    {
        if (static_cast<int>(device) < count_) count_--;
    }

private:
    static constexpr double kTolerance = 0.05;

    int count_ = 0;  // 0: there was no walk since clear()
    double lost_us_ = 0, alone_us_ = 0;
};

}  // namespace g6
