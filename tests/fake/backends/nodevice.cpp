// SPDX-License-Identifier: MIT
// A backend without a device: as CUDA's on a machine with a driver that is too old.
#include "libg6gpu/backend.h"

namespace {

int no_devices(const char **reason)
{
    *reason = "the fake driver is too old; version 2 is needed";
    return -1;
}

g6::DeviceStatus no_description(int, g6::DeviceInfo *)
{
    return g6::kDeviceLost;
}
g6::Device *no_open(int, const g6::DeviceOptions *, const char **)
{
    return nullptr;
}

const g6::Backend backend = {g6::kBackendAbi, "nodevice", no_devices, no_description, no_open};

}  // namespace

extern "C" __attribute__((visibility("default"))) const g6::Backend *g6_backend_entry()
{
    return &backend;
}
