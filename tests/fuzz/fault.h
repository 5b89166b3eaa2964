// SPDX-License-Identifier: MIT
// Faults of the fake backend of tests/fake, and the violations that it has found.
#pragma once

#include <string>

namespace g6fuzz {

// Makes the library find the fake backends; before its first call.
void use_fake_backends();
// The count-th call of this kind (tests/fake/control.h) from now loses the device.  Nothing without
// fakes.
void lose_device(int device, int call, int count);
// Breach of the contract between core and backend that the fake saw; "" when there was none.
std::string fake_violation();

}  // namespace g6fuzz
