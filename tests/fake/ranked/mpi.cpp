// SPDX-License-Identifier: MIT
// A fake backend under the name of the one that reaches other processes: "auto" tries it first, but
// only in a job with workers, and then without a GPU, too.
#define G6_FAKE_NAME "mpi"
#define G6_FAKE_IS_CPU 1
#include "../backends/fake.cpp"
