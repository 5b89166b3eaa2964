// SPDX-License-Identifier: MIT
// While a QuietFloat lives, no floating-point exception stops the program on its thread.
// Afterwards the caller's flags and traps are as they were.  Fortran codes are often built with
// -ffpe-trap=invalid,zero,overflow, but vector code also computes lanes whose results are dropped
// (an own particle, the padding of a tile), and drivers may raise any exception.  A new thread
// starts with the traps of the thread that made it, so each thread needs a QuietFloat of its own.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace g6 {

#if defined(__SSE2__)
// All double and float arithmetic is SSE or AVX here, so this class sets the control register of
// SSE alone and not that of the x87 stack.  A second write soon after the first one stalls the
// processor, so the constructor writes only where some exception traps, as in few programs.
class QuietFloat {
public:
    QuietFloat() : saved_(_mm_getcsr())
    {
        if ((saved_ & _MM_MASK_MASK) != _MM_MASK_MASK) _mm_setcsr(saved_ | _MM_MASK_MASK);
    }
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
