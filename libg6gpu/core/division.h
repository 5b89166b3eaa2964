// SPDX-License-Identifier: MIT
// How many devices compute one block.
//
// Let one device alone take the time W for the block.  D devices of this process, each with some of
// the i-particles, then take
//     T(D) = W / D + (D - 1) start
// where `start` is the host's time for starting one more device and collecting its results.
//
// Devices of workers are reached by messages, and come after those of this process.  If n of the D
// devices are of this process, and the others are not:
//     T(D) = W / D + (n - 1) start + (D - n) (start + u + s / D) + r
//     u   sending the changed j-particles
//     s   sending all i-particles of the block and receiving their sums
//     r   an empty message there and back
// In a walk each device needs all i-particles: there u contains the sending of the i-particles, and
// s is the time of the sums alone.
//
// The block goes to that number D of devices for which T(D) is least, among the D for which W / D
// is at least share_us: a device with less work is not filled.  Where the speed of the devices is
// unknown, all of them take part.
//
// In a direct sum the devices that do not take part get nothing.  Each of them receives the
// j-particles that were written meanwhile with the next block in which it takes part.  In a walk
// all devices of a group (walkers.h) bring their trees up to date, and D of them compute.
//
// A device that did not take part lacks j-particles (lag.h), and sending these takes time, too, but
// less where the device can copy from the leader's memory, over a link between the two.  It takes
// part if it saves that time with this block alone, or if its allowance covers the loss.  Each
// block that would be quicker with the device adds a fifth of what it would save to the allowance.
// So a device that lacks much comes back after some blocks, and what is sent in vain takes at most
// a fifth of the time that the device could save.
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
    bool points = false;  // all is at rest, no radius is wanted: particles are sent in short form
    int changed = -1;     // j-particles since the last block; -1: as many as there are i-particles
};

// The devices that may share a block.
struct Team {
    DeviceSpeed slowest;
    int near = 1;              // so many, the first ones, belong to this process
    double near_start_us = 0;  // start_us of these

    Team() = default;
    Team(const DeviceSpeed &speed) : slowest(speed), near_start_us(speed.start_us) {}
    Team(const DeviceSpeed &all, int near, double near_start)
        : slowest(all), near(near), near_start_us(near_start)
    {
    }
};

// A device with fewer i-particles than these is as good as idle.
constexpr int kLeastShare = 32;
// The walk of one i-particle takes the time of so many pair interactions.
constexpr double kPairsOfWalk = 3000;
// What sending in vain may take, of the time that a device could save.
constexpr double kMostLoss = 0.2;
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

// Microseconds in which the host starts one more device, and sends it what it needs whatever its
// share is: changed j-particles, and of a walk the i-particles.
inline double update_time(const DivisionWork &work, const DeviceSpeed &speed)
{
    if (!(speed.bytes_per_us > 0)) return speed.start_us;
    const double j = work.points ? sizeof(G6JPoint) : sizeof(G6JRecord),
                 i = work.points ? sizeof(G6IPoint) : sizeof(G6IRecord);
    const int changed = work.changed < 0 ? work.ni : work.changed;
    return speed.start_us + (changed * j + (work.walk ? work.ni * i : 0)) / speed.bytes_per_us;
}

// Microseconds of the messages with all i-particles, if the device does not need all of them, and
// all sums.
inline double share_time(const DivisionWork &work, const DeviceSpeed &speed)
{
    if (!(speed.bytes_per_us > 0)) return 0;
    const double i = work.points ? sizeof(G6IPoint) : sizeof(G6IRecord);
    const double sums = work.walk && work.points ? sizeof(G6Force) : sizeof(G6Sums);
    return work.ni * (work.walk ? sizeof(int) + sums : i + sums) / speed.bytes_per_us;
}

// T(devices) in microseconds.
inline double block_time(const DivisionWork &work, int devices, const Team &team)
{
    const DeviceSpeed &speed = team.slowest;
    const int near = std::clamp(team.near, 1, devices), far = devices - near;
    const double here = time_of_one(work, speed) / devices + (near - 1) * team.near_start_us;
    if (far == 0) return here;
    return here + speed.round_trip_us +
           far * (update_time(work, speed) + share_time(work, speed) / devices);
}

// How many of the `devices` the block goes to, if none of them lacks j-particles: at least 1.
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

// Microseconds in which a device gets the j-particles that it lacks.  is_linked: it copies them
// from the leader.  Otherwise the host packs them, and sends them where the device is reached by
// messages.
inline double catch_up_time(int lacking, const DeviceSpeed &speed, bool is_linked)
{
    if (lacking == 0) return 0;
    if (is_linked) return kCopyStartUs + lacking / kCopiedPerUs;
    const double bytes = lacking * static_cast<double>(sizeof(G6JRecord));
    return bytes / kPackedBytesPerUs + (speed.bytes_per_us > 0 ? bytes / speed.bytes_per_us : 0);
}

// Microseconds that device number d, d > 0, of so many saves.  Devices of this process save as much
// as they do without the others, which share what is saved beside that.
inline double saving(const DivisionWork &work, int d, int devices, const Team &team)
{
    const int near = std::clamp(team.near, 1, devices);
    const double time = block_time(work, near, team);
    return d < near ? (block_time(work, 1, team) - time) / (near - 1)
                    : (time - block_time(work, devices, team)) / (devices - near);
}

// Of the `devices` that devices_for() gives for the block, those that take part: the first one and
// the ones next to it for which sending what they lack pays.  cost(d): microseconds in which device
// d gets what it lacks; allowance(d): a double that starts as 0.
template <class Cost, class Allowance>
int devices_that_pay(const DivisionWork &work, int devices, const Team &team, Cost &&cost,
                     Allowance &&allowance)
{
    if (!(team.slowest.pairs_per_us > 0)) return devices;
    int ready = 1;
    for (int d = 1; d < devices; d++) {
        const double saved = saving(work, d, devices, team), loss = cost(d) - saved;
        double &left = allowance(d);
        left += kMostLoss * saved;
        if (ready < d || loss > left) continue;
        left -= std::max(loss, 0.0);
        ready++;
    }
    return ready;
}

}  // namespace g6
