// SPDX-License-Identifier: MIT
// A driver that ends the process when it starts, as some OpenCL drivers do, before any call.
#include <cstdio>
#include <cstdlib>

__attribute__((constructor)) static void start()
{
    std::fputs("driver: /sys is missing\n", stderr);
    std::abort();
}
