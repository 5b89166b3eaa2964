// SPDX-License-Identifier: MIT
// Tests Device::reserve() with each call of the driver failing in turn.
#pragma once

namespace g6test {

// file: a backend, whose driver's wrapper is in the process.  Returns an exit status.
int check_reserve(const char *file);

}  // namespace g6test
