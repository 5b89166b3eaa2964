// SPDX-License-Identifier: MIT
// A fake backend without a device, as CUDA with a driver that is too old.
#define G6_FAKE_NAME "nodevice"
#define G6_FAKE_NO_DEVICE "the fake driver is too old; version 2 is needed"
#include "fake.cpp"
