// SPDX-License-Identifier: MIT
// A fake backend under the name mpi.  In a job with workers, and only there, "auto" tries it first,
// even without a GPU.
#define G6_FAKE_NAME "mpi"
#define G6_FAKE_IS_CPU 1
#include "../backends/fake.cpp"
