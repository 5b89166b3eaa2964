// SPDX-License-Identifier: MIT
// A malloc that refuses on command, in a shared object of its own that programs link before all
// others.  It counts what the library asks for: memory by malloc, calloc, realloc, aligned_alloc,
// posix_memalign, operator new or anonymous mmap, and threads.
//
// Invariants
//  * The nearest caller outside the C and C++ libraries decides who asks.  Only requests of
//    libg6gpu.so and of its backends g6_NAME.so are counted and refused: the drivers of
//    OpenCL may end the process when a request is refused, and so may dlopen().
//  * Nothing is counted or refused outside refuse() ... refuse_no_more().
#pragma once

namespace g6test {

enum class Refusal { kNone, kOnce, kFromThenOn };

// Refuses the k-th request from now, k = 1 ...; trace: writes who asked for that one to stderr.
void refuse(Refusal refusal, long k, bool trace);
void refuse_no_more();
// Requests since refuse(), and whether one was refused.
long requests();
bool refused();
// Pieces of memory that the whole program holds.
long pieces();

// Writes the callers of this function to stderr, as "file+offset".  For a signal handler too.
void write_callers();

}  // namespace g6test
