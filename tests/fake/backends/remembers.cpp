// SPDX-License-Identifier: MIT
// The fake backend with trees that remember: devices whose trees have not been through the same
// give other potentials.
#define G6_FAKE_NAME "remembers"
#define G6_FAKE_DEVICE "fake"
#define G6_FAKE_REMEMBERS true
#include "fake.cpp"
