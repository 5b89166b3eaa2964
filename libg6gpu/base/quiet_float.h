// SPDX-License-Identifier: MIT
// While one of these lives, no floating-point exception of this thread stops the program, and after
// it the caller's flags and traps are as they were.  Vector code computes lanes that are thrown
// away (an own particle, the padding of a tile) and drivers do as they like, but Fortran codes are
// built with -ffpe-trap=invalid,zero,overflow.  A new thread starts with the traps of the one that
// made it, so work in threads needs one of its own.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace g6 {

#if defined(__SSE2__)
// All double and float arithmetic is SSE or AVX here: its one register, not the old stack's too.
class QuietFloat {
public:
    QuietFloat() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | _MM_MASK_MASK); }
    ~QuietFloat() { _mm_setcsr(saved_); }

private:
    unsigned saved_;
#else
class QuietFloat {
public:
    QuietFloat() { std::feholdexcept(&saved_); }
    ~QuietFloat() { std::fesetenv(&saved_); }

private:
    std::fenv_t saved_;
#endif

public:
    QuietFloat(const QuietFloat &) = delete;
    QuietFloat &operator=(const QuietFloat &) = delete;
};

}  // namespace g6
