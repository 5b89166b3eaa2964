// SPDX-License-Identifier: MIT
// A fake backend that counts its devices but cannot open them.
#define G6_FAKE_NAME "cannotopen"
#define G6_FAKE_NO_OPEN "fake device is in exclusive use by another process"
#include "fake.cpp"
