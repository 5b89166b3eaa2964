// SPDX-License-Identifier: MIT
// A device of this backend: one of this process (local_device.h) or one of a worker
// (remote_device.h).  A device shows the others what is staged on it, so that the core packs
// particles once for all devices.  The leader of a block also has memory for the sums of the whole
// block.
#pragma once

#include "../../libg6gpu/backend.h"
#include "../../libg6gpu/base/host_memory.h"

namespace g6::mpi {

// The j-particles staged since the last start(): n rows of so many words.
struct Staged {
    const double *rows = nullptr;
    int n = 0, words = kRestWords;
    std::size_t doubles() const
    {
        return static_cast<std::size_t>(n) * static_cast<std::size_t>(words);
    }
};

// Rows that a device keeps for itself and for others.
class KeptRows {
public:
    // Memory for n more rows.  Throws std::bad_alloc.
    double *append(int n, int words)
    {
        const Staged more{nullptr, n, words};
        double *memory = rows_.append(more.doubles());
        staged_ = {rows_.data(), staged_.n + n, words};
        return memory;
    }
    void clear()
    {
        rows_.clear();
        staged_ = Staged{};
    }
    const Staged &staged() const { return staged_; }

private:
    HostBuffer<double> rows_;
    Staged staged_;
};

// The i-particles staged for the next block: rows of so many words.
struct StagedTargets {
    const double *rows = nullptr;
    int words = kIWords;
};

// The leader's memory for the sums of a block.
struct Home : SumsMemory {
    void put(int at, const G6Sums &s) const
    {
        if (sums)
            sums[at] = s;
        else
            forces[at] = {{s.acc[0], s.acc[1], s.acc[2]}, s.pot};
    }
    void put(int at, const G6Force &f) const
    {
        if (forces)
            forces[at] = f;
        else
            sums[at] = sums_of(f);
    }
};

class MpiDevice : public Device {
public:
    virtual const Staged &staged() const = 0;
    // As leader of a block:
    virtual StagedTargets staged_targets() const { return {}; }
    // The device of this process behind this object, where devices of the process share memory;
    // otherwise null.
    virtual Device *shared_inner() { return nullptr; }
    // As finish() in a block that several devices compute.  Whoever needs home() calls it before
    // the core calls finish(); it works once for a block.
    virtual DeviceStatus complete() = 0;
    // After complete().
    virtual Home home() = 0;
};

}  // namespace g6::mpi
