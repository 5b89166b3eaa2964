// SPDX-License-Identifier: MIT
// A fake backend that "auto" tries second: the order of the names is not that of the ranks.
#define G6_FAKE_NAME "amid"
#define G6_FAKE_TREE TreeSupport::kOwnTree
#include "../backends/fake.cpp"

G6_AUTO_RULE(2, 0)
