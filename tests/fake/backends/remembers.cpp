// SPDX-License-Identifier: MIT
// A fake backend whose trees remember: devices whose trees have different histories give different
// potentials.
#define G6_FAKE_NAME "remembers"
#define G6_FAKE_DEVICE "fake"
#define G6_FAKE_REMEMBERS true
#include "fake.cpp"
