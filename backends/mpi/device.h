// SPDX-License-Identifier: MIT
// A device of this backend: one of this process (local_device.h) or one of a worker
// (remote_device.h).  Both tell the others what is staged on them, so that the core packs
// j-particles once for all.
#pragma once

#include "../../libg6gpu/backend.h"

namespace g6::mpi {

// The j-particles staged since the last start().
struct Staged {
    const G6JRecord *record = nullptr;
    const G6JPoint *point = nullptr;
    int records = 0, points = 0;
};

class MpiDevice : public Device {
public:
    virtual const Staged &staged() const = 0;
};

}  // namespace g6::mpi
