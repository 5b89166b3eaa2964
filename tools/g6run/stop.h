// SPDX-License-Identifier: MIT
// Stops a run by signals.  The first SIGINT (Ctrl-C), SIGTERM or SIGHUP lets the run end after its
// block step, with a line on stderr; a second one ends the program at once.  Output to a closed
// pipe fails as a write error and sends no signal.
#pragma once

namespace g6run {

// Call this once the particles are read or made.  Up to then a signal ends the program at once,
// since there is nothing to save.
void catch_stop_signals();
bool stop_requested();

}  // namespace g6run
