// SPDX-License-Identifier: MIT
// A fake backend that walks no tree.
#define G6_FAKE_NAME "notree"
#define G6_FAKE_TREE TreeSupport::kNone
#include "fake.cpp"
