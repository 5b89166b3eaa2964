// SPDX-License-Identifier: MIT
// The fake backend as OpenCL on processors, which "auto" does not take.
#define G6_FAKE_NAME "opencl"
#define G6_FAKE_IS_CPU 1
#include "fake.cpp"
