// SPDX-License-Identifier: MIT
// Whether this process is a child of fork().  Such a child has only the thread that called fork():
// no OpenMP pool, no driver threads, no device contexts.
#pragma once

namespace g6 {

// Number of forks between the process that loaded the library and this one.  What was made under
// another number belongs to a parent.
unsigned fork_generation() noexcept;

// Whether one of those forks lost threads, because the forked process had several.  True where the
// system does not tell of forks.
bool fork_lost_threads() noexcept;

}  // namespace g6
