// SPDX-License-Identifier: MIT
// The devices of this process's machine, for a backend that reaches other processes: a client gives
// part of its work to them, and a worker serves them to a client (OwnDevices in backend.h).
//
// Invariants
//  * They are devices of one backend, which the setting "local_backend" names.
//  * A worker serves those that the setting "devices" names.  Without it, and in a client, the
//    processes of one machine share its devices evenly.  A process for which none is left shares one
//    with another process.
#pragma once

#include "../backend.h"

namespace g6 {

const OwnDevices &own_devices();

// Makes this process a worker of the backend with this name, until its client has ended.  Throws
// Error(G6_ERR_DEVICE).
void serve(const char *backend, const Patience &patience);

}  // namespace g6
