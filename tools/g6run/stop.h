// SPDX-License-Identifier: MIT
// Stops a run by signals.  After the first SIGINT (Ctrl-C), SIGTERM or SIGHUP the run ends when its
// present step is done, with a line on stderr; a second one ends the program at once.  Output to a
// closed pipe is a write error and sends no signal.
#pragma once

namespace g6run {

// Call this once the particles are read or made.  Up to then a signal ends the program at once,
// since there is nothing to save.
void catch_stop_signals();
bool stop_requested();

}  // namespace g6run
