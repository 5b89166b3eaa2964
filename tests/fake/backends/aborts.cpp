// SPDX-License-Identifier: MIT
// A driver whose start ends the program, as some OpenCL drivers do: before anything can be asked.
#include <cstdio>
#include <cstdlib>

__attribute__((constructor)) static void start()
{
    std::fputs("driver: /sys is missing\n", stderr);
    std::abort();
}
