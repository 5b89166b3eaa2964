// SPDX-License-Identifier: MIT
// Whether this process is a child of fork().  Such a child has only the thread that called fork():
// no OpenMP pool, no driver threads, no device contexts.
#pragma once

namespace g6 {

// How often the process was forked on the way here since the first call of this function; what was
// made under another number belongs to the parent.
unsigned fork_generation() noexcept;

}  // namespace g6
