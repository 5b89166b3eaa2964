// SPDX-License-Identifier: MIT
// The fake backend with devices of one kind, which processes can share: for the fuzzer over MPI.
#define G6_FAKE_NAME "alike"
#define G6_FAKE_DEVICE "fake"
#include "fake.cpp"
