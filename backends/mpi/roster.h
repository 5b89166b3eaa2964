// SPDX-License-Identifier: MIT
// The client's list of devices: those of its own process and those of the workers.
//
// Invariants
//  * All devices of the list are of one kind, so that any division of a block over them gives the
//    same bits.  The list has the kind whose devices have the greatest total speed; the log
//    names the devices that are left out.
//  * This process's own devices come first: work that is too small to share needs no message.
//  * No device is in the list twice, if its driver tells its identity (DeviceInfo::identity).
#pragma once

#include "link.h"

#include <vector>

namespace g6::mpi {

struct Entry {
    LocalDeviceInfo device;
    Link *link = nullptr;  // null: of this process
    int number = 0;        // among the devices of its process
};

// Starts MPI, welcomes the workers, and measures the round trip to each and the bandwidth.  Throws
// MpiError with the reason when no worker can be used.
std::vector<Entry> meet_workers(const LocalDevices &local);

}  // namespace g6::mpi
