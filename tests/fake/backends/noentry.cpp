// SPDX-License-Identifier: MIT
// A shared object that is no backend.
extern "C" __attribute__((visibility("default"))) int g6_something_else()
{
    return 0;
}
