// SPDX-License-Identifier: MIT
// The fake backend as one that walks no tree.
#define G6_FAKE_NAME "notree"
#define G6_FAKE_TREE TreeSupport::kNone
#include "fake.cpp"
