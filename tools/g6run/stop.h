// SPDX-License-Identifier: MIT
// Ctrl-C, SIGTERM and SIGHUP: the first asks the run to end after its block and says so on stderr,
// a second ends it at once.  A closed pipe is an error of its write and not a signal.
#pragma once

namespace g6run {

// To be called when the particles are there: until then a signal has nothing to save.
void catch_stop_signals();
bool stop_requested();

}  // namespace g6run
