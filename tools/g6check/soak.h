// SPDX-License-Identifier: MIT
// Random sessions, one after the other for a given time, which show whether the process grows.
#pragma once

#include "options.h"

namespace g6check {

// Returns the exit status: 0 when nothing grows and all answers are right, else 1.  Throws
// g6tools::Failure for a library that cannot be used.
int soak(const Options &options);

}  // namespace g6check
