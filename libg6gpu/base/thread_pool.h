// SPDX-License-Identifier: MIT
// The threads that all loops of the library share (parallel.h).
//
// A loop is open while it has work that nobody has taken.  The caller works on it at once, threads
// of the pool that see it join in, and the caller returns when all work is taken and those who
// joined have left.  It waits for no thread that did not come, so that a thread without a processor
// delays nobody.
//
// Invariants
//  * The pool never shrinks.  It grows when a loop may have more threads than any loop before; a
//    thread that cannot be started is one fewer, down to the caller alone.
//  * Thread k of the pool is number k + 1 in every loop, and joins only loops of more than k + 1
//    threads.  So the same thread gets the same share of equal loops, and finds it in its cache.
//  * A thread watches for loops for kWatch after its last one, and then sleeps.
//  * A thread that was late, because another program had its processor while the loop's other
//    threads were done, gets no work for a while: 2 ms, and twice as long, up to 1 s, each time
//    that it is late again within a second after that.
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
