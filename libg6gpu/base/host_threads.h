// SPDX-License-Identifier: MIT
// How many threads a loop of the host (parallel.h) has.
//
// OpenMP ends the process when it cannot start a thread, and leaves a child of fork() waiting for
// threads that stayed with the parent.  So every number of threads in the library comes from here.
//
// Invariants
//  * A loop has either one thread or all the threads that its host thread may have.  GNU OpenMP
//    ends the threads that a smaller region leaves out, and starts them anew for the next larger
//    one: with regions of several sizes it would start threads at any time.
//  * How many these are is the setting "threads", or what OpenMP would take: then fewer, while other
//    programs keep processors busy (thread_limit.h).
//  * Before OpenMP starts n more threads, the library starts n plain threads that live at the same
//    time, and ends them.  When the system cannot start so many, the library gets an error code for
//    a plain thread, and asks OpenMP for as many threads as could be started.
//  * In a child of a process that had several threads when it was forked, every loop has one
//    thread.
#pragma once

#include <cstddef>

namespace g6 {

// Threads for loops of the calling host thread: at least 1, and fewer than wanted when the system
// cannot start so many.  wanted: the setting "threads"; 0: as many as OpenMP would take and
// thread_limit() allows.
int pool_threads(int wanted);

// Threads for a loop over n items.  It is 1 for n < 2 least, where waking other threads takes
// longer than the loop.  pool: pool_threads() of the core, which backends find in their
// DeviceOptions.
inline int threads_for(std::size_t n, std::size_t least, int wanted,
                       int (*pool)(int wanted) = pool_threads)
{
    return n < 2 * least ? 1 : pool(wanted);
}

// Threads for copying n particles.
inline int host_threads(int n, int wanted = 0, int (*pool)(int wanted) = pool_threads)
{
    constexpr std::size_t kLeast = 2048;
    return n > 0 ? threads_for(static_cast<std::size_t>(n), kLeast, wanted, pool) : 1;
}

}  // namespace g6
