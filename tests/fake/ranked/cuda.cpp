// SPDX-License-Identifier: MIT
// A fake backend with a GPU, under the name that "auto" tries first in a job without workers.
#define G6_FAKE_NAME "cuda"
#include "../backends/fake.cpp"
