// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM: the first asks the run to end after its block, a second ends it at once.
#pragma once

namespace g6run {

void catch_stop_signals();
bool stop_requested();

}  // namespace g6run
