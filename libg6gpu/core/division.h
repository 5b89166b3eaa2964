// SPDX-License-Identifier: MIT
// How many devices compute one block.
//
// Let one device alone take the time W for the block.  D devices of this process, each with some of
// the i-particles, then take
//     T(D) = W / D + (D - 1) start
// where `start` is the host's time for starting one more device and collecting its results
// (local_start_us of the team; for a device of a worker, its start_us).
//
// Devices of workers are reached by messages, and come after those of this process.  If n of the D
// devices are of this process, and the others are not:
//     T(D) = W / D + (n - 1) start + (D - n) (start + u + s / D) + r
//     u   sending the changed j-particles
//     s   sending all i-particles of the block and receiving their sums
//     r   an empty message there and back
// A walk is shared by devices of this process alone (DeviceSet::most_walkers()): the messages to a
// worker would have all particles, and take longer than it saves on networks below 60 GB/s.
//
// The block goes to that number D of devices for which T(D) is least.  Where D is above 1, each
// device must get at least kLeastShare i-particles and work for at least share_us (W / D), since
// less work leaves it partly idle.  Where the speed of the devices is unknown, D is the largest
// number that meets the first of these conditions.
//
// In a direct sum the devices that do not take part get nothing.  Each of them receives the
// j-particles that were written meanwhile (lag.h) with the next block in which it takes part.  In a
// walk all walkers (device_particles.h) bring their trees up to date, and D of them compute.
//
// A device of this process takes part however many changed j-particles it has missed.  These were
// i-particles of blocks that other devices computed meanwhile.  To compute them took longer than to
// send them: 27 us for each 1000 i-particles with N = 16384, and N / 600 us in general.  The host
// packs 1000 particles in 18 us, and a link between the devices carries them in 2.5 us.  A worker's
// device takes part only where a block gains more than the sending of as many particles takes.
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
    bool rest = false;  // nothing moves, and there are no neighbour radii: rows are short
    int changed = -1;   // j-particles since the last block; -1: as many as there are i-particles
};

// The devices that may share a block.
struct Team {
    DeviceSpeed slowest;
    int local = 1;              // the number of the first ones that belong to this process
    double local_start_us = 0;  // the largest start_us of these
};

// A device with fewer i-particles than these is as good as idle.
constexpr int kLeastShare = 32;
// The walk of one i-particle takes the time of so many pair interactions.
constexpr double kPairsOfWalk = 3000;

// W in microseconds.
inline double time_of_one(const DivisionWork &work, const DeviceSpeed &speed)
{
    return work.ni * (work.walk ? std::min<double>(kPairsOfWalk, work.nj) : work.nj) /
           speed.pairs_per_us;
}

// Microseconds in which the host starts a device, and sends it what it needs whatever its share is:
// the changed j-particles.
inline double update_time(const DivisionWork &work, const DeviceSpeed &speed)
{
    if (!(speed.bytes_per_us > 0)) return speed.start_us;
    const double j = 8.0 * (work.rest ? kRestWords : kRecordWords);
    const double changed = work.changed < 0 ? work.ni : work.changed;
    return speed.start_us + changed * j / speed.bytes_per_us;
}

// Microseconds of the messages with all i-particles and all sums.
inline double share_time(const DivisionWork &work, const DeviceSpeed &speed)
{
    if (!(speed.bytes_per_us > 0)) return 0;
    const double i = 8.0 * (work.rest ? kIRestWords : kIWords);
    return work.ni * (i + sizeof(G6Sums)) / speed.bytes_per_us;
}

// T(devices) in microseconds.
inline double block_time(const DivisionWork &work, int devices, const Team &team)
{
    const DeviceSpeed &speed = team.slowest;
    const int local = std::clamp(team.local, 1, devices), remote = devices - local;
    const double time = time_of_one(work, speed) / devices + (local - 1) * team.local_start_us;
    if (remote == 0) return time;
    return time + speed.round_trip_us +
           remote * (update_time(work, speed) + share_time(work, speed) / devices);
}

// How many of the `devices` the block goes to: at least 1.
inline int devices_for(const DivisionWork &work, int devices, const Team &team)
{
    const DeviceSpeed &speed = team.slowest;
    const int most = std::max(1, std::min(devices, work.ni / kLeastShare));
    if (!(speed.pairs_per_us > 0)) return most;
    int best = 1;
    for (int d = 2; d <= most && time_of_one(work, speed) >= d * speed.share_us; d++)
        if (block_time(work, d, team) < block_time(work, best, team)) best = d;
    return best;
}

}  // namespace g6
