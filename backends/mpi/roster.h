// SPDX-License-Identifier: MIT
// The client's list of devices: those of its own process and those of the workers.
//
// Invariants
//  * All devices of the list are of one kind, so that any division of a block over them gives the
//    same bits.  It is the kind that has the most speed in all; others are left out, and the log
//    says so.
//  * This process's own devices come first: work that is too small to share needs no message.
//  * No piece of hardware is in the list twice.
#pragma once

#include "link.h"

#include <string>
#include <vector>

namespace g6::mpi {

struct Entry {
    OwnDevice device;
    Link *link = nullptr;  // null: of this process
    int number = 0;        // among the devices of its process
};

// Starts MPI, meets the workers and measures the way to them.  Throws MpiError with the reason why
// there is nobody to work with.
std::vector<Entry> meet_workers(const OwnDevices &own);

}  // namespace g6::mpi
