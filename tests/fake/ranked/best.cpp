// SPDX-License-Identifier: MIT
// A fake backend that "auto" tries first.
#define G6_FAKE_NAME "best"
#define G6_FAKE_TREE TreeSupport::kOwnTree
#include "../backends/fake.cpp"

G6_AUTO_RULE(1, 0)
