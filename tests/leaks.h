// SPDX-License-Identifier: MIT
// Included once in a program: what OpenCL drivers never free is not ours.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
// Visible, for the sanitizer to find it.
extern "C" __attribute__((visibility("default"))) const char *__lsan_default_suppressions()
{
    return "leak:libpocl\nleak:libLLVM\nleak:libOpenCL\nleak:libnvidia\n";
}
// Their number is nobody's message: tests compare what a process prints.
extern "C" __attribute__((visibility("default"))) const char *__lsan_default_options()
{
    return "print_suppressions=0";
}
#endif
