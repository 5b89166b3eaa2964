// SPDX-License-Identifier: MIT
// The local devices, those of this process's machine, for a backend that reaches other processes
// (LocalDevices in backend.h).  A client computes on its local devices and on its workers; a worker
// offers its local devices to the client.
//
// Invariants
//  * All local devices are of one backend, which the setting "local_backend" names.
//  * A worker serves the devices that the setting "devices" names.  Without it, and in a client,
//    the processes of one machine share its devices evenly.  Where there are more processes than
//    devices, a process gets the same device as another one.
#pragma once

#include "../backend.h"

namespace g6 {

const LocalDevices &local_devices();

// Runs this process as a worker of the backend with this name, until its client ends.  Throws
// Error(G6_ERR_DEVICE).
void serve(const char *backend, const Patience &patience);

}  // namespace g6
