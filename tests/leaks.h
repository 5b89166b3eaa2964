// SPDX-License-Identifier: MIT
// Tells LeakSanitizer to ignore memory that drivers never free.  Included once in a program.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
// Visible, for the sanitizer to find it.
extern "C" __attribute__((visibility("default"))) const char *__lsan_default_suppressions()
{
    return "leak:libpocl\nleak:libLLVM\nleak:libOpenCL\nleak:libnvidia\n";
}
// No summary of what was left out: tests compare what a process prints.
extern "C" __attribute__((visibility("default"))) const char *__lsan_default_options()
{
    return "print_suppressions=0";
}
#endif
