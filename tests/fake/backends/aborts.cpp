// SPDX-License-Identifier: MIT
// A backend whose driver ends the program while it is loaded, as some OpenCL drivers do.
#include <cstdio>
#include <cstdlib>

__attribute__((constructor)) static void start()
{
    std::fputs("driver: /sys is missing\n", stderr);
    std::abort();
}
