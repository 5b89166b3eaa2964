// SPDX-License-Identifier: MIT
// The client's list of devices: those of its own process and those of the workers.
//
// Invariants
//  * All devices of the list are of one kind, so that any division of a block over them gives the
//    same bits.  The list has the kind whose devices have the greatest total speed; the log
//    names the devices that are left out.
//  * This process's own devices come first: work that is too small to share needs no message.
//  * No device is in the list twice, as far as drivers tell the identity of their devices.
#pragma once

#include "link.h"

#include <vector>

namespace g6::mpi {

struct Entry {
    LocalDeviceInfo device;
    Link *link = nullptr;  // null: of this process
    int number = 0;        // among the devices of its process
};

// Starts MPI, greets the workers and measures round trip and bandwidth of each.  Throws MpiError
// with the reason why no worker can be used.
std::vector<Entry> meet_workers(const LocalDevices &local);

}  // namespace g6::mpi
