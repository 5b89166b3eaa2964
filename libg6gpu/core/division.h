// SPDX-License-Identifier: MIT
// How many devices compute one block.
//
// Let one device alone take the time W for the block.  D devices, each with some of the i-particles,
// then take
//     T(D) = W / D + (D - 1) (start + u + s / D) + r
// where `start` is the host's time for starting one more device and collecting its results.  The
// other times are 0, except where devices are reached by messages:
//     u   sending as many changed j-particles as the block has i-particles
//     s   sending all i-particles of the block and receiving their sums
//     r   an empty message there and back; 0 for D = 1
//
// The block goes to that number D of devices for which T(D) is least, among the D for which W / D
// is at least share_us: a device with less work is not filled.  Where the speed of the devices is
// unknown, all of them take part.
//
// In a direct sum the devices that do not take part get nothing.  Each of them receives the
// j-particles that were written meanwhile with the next block in which it takes part.  In a walk
// all devices that have their own trees bring these up to date, and D of them compute.
//
// A device that did not take part lacks j-particles (lag.h), and sending these takes time, too.
// After many small blocks a device lacks so many that one large block gains less than the sending
// costs.  A device that can copy from the leader's memory, over a link between the two, needs less
// time for this than one that gets everything from the host.  So each device has an account.  Each block that would be quicker with the device adds to
// the account the time that the device would save.  If the account then covers the cost of sending,
// the device takes part in this block, and the account is emptied.  This is the rule of "rent or
// buy" (Karlin et al. 1988, Algorithmica 3, 79): the time that is not saved and the time of sending
// are together at most twice what the best choice in hindsight would cost.
//
// W follows from the number of pair interactions, and is not timed, so that a run makes the same
// choices each time.  r and the rate of messages are measured once, when the devices are found.
#pragma once

#include "../backend.h"

#include <algorithm>

namespace g6 {

struct DivisionWork {
    int ni, nj;
    bool walk;
};

// A device with fewer i-particles than these is as good as idle.
constexpr int kLeastShare = 32;
// The walk of one i-particle takes the time of so many pair interactions.
constexpr double kPairsOfWalk = 3000;
// The host packs the j-particles that a device lacks at this rate.
constexpr double kPackedBytesPerUs = 8000;
// A device copies so many j-particles from another one over a link between them, and starting the
// copy takes this time.
constexpr double kCopiedPerUs = 400, kCopyStartUs = 10;

// W in microseconds.
inline double time_of_one(const DivisionWork &work, const DeviceSpeed &speed)
{
    return work.ni * (work.walk ? std::min<double>(kPairsOfWalk, work.nj) : work.nj) /
           speed.pairs_per_us;
}

// T(devices) in microseconds.
inline double block_time(const DivisionWork &work, int devices, const DeviceSpeed &speed)
{
    double time = time_of_one(work, speed) / devices + (devices - 1) * speed.start_us;
    if (devices == 1 || !(speed.bytes_per_us > 0)) return time;
    const double update = work.ni * sizeof(G6JRecord) / speed.bytes_per_us;
    const double share = work.ni * (sizeof(G6IRecord) + sizeof(G6Sums)) / speed.bytes_per_us;
    return time + speed.round_trip_us + (devices - 1) * (update + share / devices);
}

// How many of the `devices` the block goes to, if none of them lacks j-particles: at least 1.
inline int devices_for(const DivisionWork &work, int devices, const DeviceSpeed &speed)
{
    const int most = std::max(1, std::min(devices, work.ni / kLeastShare));
    if (!(speed.pairs_per_us > 0)) return most;
    int best = 1;
    for (int d = 2; d <= most && time_of_one(work, speed) >= d * speed.share_us; d++)
        if (block_time(work, d, speed) < block_time(work, best, speed)) best = d;
    return best;
}

// Microseconds in which a device gets the j-particles that it lacks.  is_linked: it copies them from
// the leader.  Otherwise the host packs them, and sends them where the device is reached by messages.
inline double catch_up_time(int lacking, const DeviceSpeed &speed, bool is_linked)
{
    if (lacking == 0) return 0;
    if (is_linked) return kCopyStartUs + lacking / kCopiedPerUs;
    const double bytes = lacking * static_cast<double>(sizeof(G6JRecord));
    return bytes / kPackedBytesPerUs + (speed.bytes_per_us > 0 ? bytes / speed.bytes_per_us : 0);
}

// Of a device that may take part in a block.
struct Account {
    double missed_us = 0;    // the time that it would have saved in blocks computed without it
    double catch_up_us = 0;  // the time in which it gets what it lacks
};

// Of the `devices` that devices_for() gives for the block, those that take part: the first one and
// the ones next to it whose accounts cover their catching up.  account(d): that of device d, of 1 ...
// devices-1.
template <class AccountOf>
int devices_that_pay(const DivisionWork &work, int devices, const DeviceSpeed &speed,
                     AccountOf &&account)
{
    if (devices == 1 || !(speed.pairs_per_us > 0)) return devices;
    const double gain =
        (block_time(work, 1, speed) - block_time(work, devices, speed)) / (devices - 1);
    int ready = 1;
    for (int d = 1; d < devices; d++) {
        Account &own = account(d);
        own.missed_us += gain;
        if (ready == d && own.missed_us >= own.catch_up_us) ready++;
    }
    for (int d = 1; d < ready; d++) account(d).missed_us = 0;
    return ready;
}

}  // namespace g6
