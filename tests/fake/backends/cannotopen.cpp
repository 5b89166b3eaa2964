// SPDX-License-Identifier: MIT
// The fake backend as one that counts its devices and then cannot open them.
#define G6_FAKE_NAME "cannotopen"
#define G6_FAKE_NO_OPEN "fake device is in exclusive use by another process"
#include "fake.cpp"
