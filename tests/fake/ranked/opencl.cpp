// SPDX-License-Identifier: MIT
// A fake backend with a GPU that "auto" does not take, since it tries cuda before opencl.
#define G6_FAKE_NAME "opencl"
#include "../backends/fake.cpp"
