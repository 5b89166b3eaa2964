// SPDX-License-Identifier: MIT
// The walkers: the devices of a set that divide walks among them.
//
// A device with a tree of its own gives the same bits as another such device only if both have had
// the same j-particles and the same walks since clear() (backend.h).  So the first devices of the
// set are the walkers, and each of them gets every change and every walk.  A device that is none of
// them walks no more until clear().
//
// There are as many walkers as division.h would choose for a walk of all bodies: a small system has
// fewer, and workers are among them where messages are quick enough.  In a smaller block some of
// the walkers walk, while the others bring their trees up to date.
#pragma once

#include "division.h"

#include <cstddef>

namespace g6 {

class Walkers {
public:
    // After clear() of all devices.
    void clear() { *this = Walkers{}; }

    // How many of `size` devices are walkers.  rest: as in DivisionWork.
    int of(int nj, bool rest, int size, const Team &team)
    {
        if (count_ == 0) count_ = devices_for({nj, nj, true, rest}, size, team);
        return count_;
    }
    // Makes walkers of all devices, whatever a division of their work costs.
    int all(int size)
    {
        if (count_ == 0) count_ = size;
        return count_;
    }

    // Whether another device can go on walking when this one is lost.
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
