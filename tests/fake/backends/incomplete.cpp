// SPDX-License-Identifier: MIT
// A backend with the right ABI number and without its functions.
#include "libg6gpu/backend.h"

extern "C" __attribute__((visibility("default"))) const g6::Backend *g6_backend_entry()
{
    static const g6::Backend backend = {g6::kBackendAbi, "incomplete", nullptr, nullptr, nullptr};
    return &backend;
}
