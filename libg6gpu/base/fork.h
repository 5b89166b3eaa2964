// SPDX-License-Identifier: MIT
// Whether this process is a child of fork().  Such a child has only the thread that called fork():
// no OpenMP pool, no driver threads, no device contexts.
#pragma once

namespace g6 {

// How often the process was forked on the way here since the library was loaded; what was made
// under another number belongs to the parent.
unsigned fork_generation() noexcept;

// Whether a process on the way here had threads when it was forked, which this one lacks.  Where
// forks cannot be seen: true.
bool fork_lost_threads() noexcept;

}  // namespace g6
