// SPDX-License-Identifier: MIT
// A backend with another ABI number.  Its functions would crash: only the number may be read.
#include "libg6gpu/backend.h"

extern "C" __attribute__((visibility("default"))) const g6::Backend *g6_backend_entry()
{
    static const g6::Backend backend = {4242, nullptr, nullptr, nullptr, nullptr};
    return &backend;
}
