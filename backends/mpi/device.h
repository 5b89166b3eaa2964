// SPDX-License-Identifier: MIT
// A device of this backend: one of this process (local_device.h) or one of a worker
// (remote_device.h).  A device shows the others what is staged on it, so that the core packs
// particles once for all devices.  The leader of a block also has memory for the sums of the whole
// block.  Where devices of this process take part, the leader is one of these.
#pragma once

#include "link.h"

#include "../../libg6gpu/base/host_memory.h"

namespace g6::mpi {

// The leader's memory for the sums of a block.
struct Home : SumsMemory {
    void put(int at, const G6Sums &s) const
    {
        if (sums)
            sums[at] = s;
        else
            forces[at] = {{s.acc[0], s.acc[1], s.acc[2]}, s.pot};
    }
};

class MpiDevice : public Device {
public:
    void stage_from(Device &leader) override
    {
        new_stage();
        source_ = static_cast<MpiDevice *>(&leader);
    }
    DeviceStatus finish(G6Sums *sums) override;
    // The rows of i-particles that are staged on this device; null: none.
    virtual const double *staged_targets() const { return nullptr; }
    // The device of this process behind this object, where devices of the process share memory;
    // otherwise null.
    virtual Device *shared_inner() { return nullptr; }
    // Finishes this device's part of a block that several devices compute.  Another device that
    // needs home() may call it before the core calls finish().  Later calls return the same status.
    DeviceStatus complete();
    // After complete(): this leader's memory for the sums.
    virtual Home home() { return {sums_memory_.data(), nullptr}; }

protected:
    // finish() of a block that this device alone computes, and of a block of several devices.
    virtual DeviceStatus finish_whole(G6Sums *sums) = 0;
    virtual DeviceStatus finish_part() = 0;

    // Memory for n more rows.  Throws std::bad_alloc.
    double *keep(int n, int words);
    // The device whose staged rows the next start() takes (this one or the leader), and the rows.
    const MpiDevice &source() const { return source_ ? *source_ : *this; }
    const Staged &staged() const { return source().staged_; }
    // Forgets what is staged, if a start() has taken it.
    void new_stage();
    void forget_staged();
    // Takes note of a block that starts.
    void begin(const Block &block);

    Staged staged_;  // on this device itself
    // Of the last block.
    MpiDevice *leader_ = nullptr;
    bool whole_ = true;  // this device alone computes it
    int first_ = 0, ni_ = 0, whole_ni_ = 0;
    HostBuffer<G6Sums> sums_memory_;  // as leader, of the whole block

private:
    bool started_ = false;  // a start() has taken what is staged
    HostBuffer<double> kept_;
    MpiDevice *source_ = nullptr;  // null: this one
    bool completed_ = false;
    DeviceStatus status_ = kDeviceOk;
};

}  // namespace g6::mpi
