// SPDX-License-Identifier: MIT
// The fake backend with trees that remember their past: devices whose trees have had different
// walks or j-particles give different potentials.
#define G6_FAKE_NAME "remembers"
#define G6_FAKE_DEVICE "fake"
#define G6_FAKE_REMEMBERS true
#include "fake.cpp"
