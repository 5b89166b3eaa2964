// SPDX-License-Identifier: MIT
// A worker: drives the devices of its machine for the client, as the client's messages say.
#pragma once

#include "../../libg6gpu/backend.h"

namespace g6::mpi {

// Returns when the client has ended: with null, or with what went wrong.
const char *serve(const LocalDevices &local, const Patience &patience);

}  // namespace g6::mpi
