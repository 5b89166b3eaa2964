// SPDX-License-Identifier: MIT
// A backend that counts a device and then cannot open it.
#include "libg6gpu/backend.h"

namespace {

int one_device(const char **)
{
    return 1;
}

g6::DeviceStatus describe(int, g6::DeviceInfo *info)
{
    *info = g6::DeviceInfo{};
    return g6::kDeviceOk;
}

g6::Device *refuse(int, const g6::DeviceOptions *, const char **reason)
{
    *reason = "fake device is in exclusive use by another process";
    return nullptr;
}

const g6::Backend backend = {g6::kBackendAbi, "cannotopen", one_device, describe, refuse};

}  // namespace

extern "C" __attribute__((visibility("default"))) const g6::Backend *g6_backend_entry()
{
    return &backend;
}
