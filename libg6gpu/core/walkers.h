// SPDX-License-Identifier: MIT
// The devices of a set that divide walks among them.
//
// A device with a tree of its own gives the bits of the others only if it has had the same
// j-particles and the same walks since clear() (backend.h).  So the devices that divide walks form
// a group, the first ones of the set, all of which get every change and every walk.  A device
// outside the group walks no more until clear().
//
// They are as many as a walk of all bodies would be divided among, by division.h: a small system
// walks on fewer, and workers join where messages are quick enough.  A smaller block is walked by
// some of the group, while the others bring their trees up to date.
#pragma once

#include "division.h"

#include <cstddef>

namespace g6 {

class Walkers {
public:
    // After clear() of all devices.
    void clear() { *this = Walkers{}; }

    // How many devices are in the group, of `size`.  points: as in DivisionWork.
    int of(int nj, bool points, int size, const Team &team)
    {
        if (count_ == 0) count_ = devices_for({nj, nj, true, points}, size, team);
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
    int count_ = 0;  // 0: there was no walk since clear()
};

}  // namespace g6
