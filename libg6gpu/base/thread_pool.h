// SPDX-License-Identifier: MIT
// The threads that all loops of the library share (parallel.h).
//
// A loop is open while it has work that no thread has taken.  The caller works on it at once, and
// threads of the pool that see it join in.  The caller returns when all work is taken and the
// threads that joined have left.  It waits for no thread that did not join, so that a thread
// without a processor delays nobody.
//
// Invariants
//  * The pool never shrinks.  It grows when a loop may have more threads than any earlier loop.
//    Where a thread cannot be started, loops have fewer threads, down to the caller alone.
//  * Thread k of the pool is number k + 1 in every loop, and joins only loops of more than k + 1
//    threads.  So the same thread gets the same share of equal loops, and finds it in its cache.
//  * A thread watches for loops for kWatch (0.8 ms) after its last loop, and then sleeps.
//  * A thread that is late, because another program has its processor while the loop's other
//    threads are done, rests: it gets no work for 2 ms.  Each time that it is late again within a
//    second after a rest, the next rest is twice as long, up to 1 s.
//  * A loop inside a loop of several threads, or inside a parallel region of the client's OpenMP,
//    runs on the calling thread alone.
//  * A child of fork() begins with no threads and starts its own.
//  * The threads take no signals, and nothing is destroyed at exit.
#pragma once

#include "parallel.h"

namespace g6 {

// Threads that a loop may have, at least 1.  wanted: the setting "threads"; 0: own_processors()
// (processors.h).
int pool_threads(int wanted);

// From now on pool_threads(0) leaves so many processors to other processes of this machine, unless
// OMP_NUM_THREADS says how many there are.
void leave_processors(int n);

// The pool of this process, as loops reach it.
extern const PoolTable kThreadPool;

}  // namespace g6
