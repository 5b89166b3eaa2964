// SPDX-License-Identifier: MIT
// A fake backend like OpenCL on processors, which "auto" does not take.
#define G6_FAKE_NAME "opencl"
#define G6_FAKE_IS_CPU 1
#include "fake.cpp"
