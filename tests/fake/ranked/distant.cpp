// SPDX-License-Identifier: MIT
// A fake backend that stands for one which reaches other processes: "auto" tries it first, but only
// where a variable of the environment has a number above 1, and then without a GPU, too.
#define G6_FAKE_NAME "distant"
#define G6_FAKE_IS_CPU 1
#define G6_FAKE_TREE TreeSupport::kOwnTree
#include "../backends/fake.cpp"

G6_AUTO_RULE_WITH(0, 0, "G6TEST_NOBODY>0 G6TEST_WORKERS>1")
