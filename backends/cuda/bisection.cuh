// SPDX-License-Identifier: MIT
// Bisection: where in an ordered range something begins to hold.
#pragma once

#include <cuda_runtime.h>

namespace g6::cuda {

// The first k of first ... last-1 for which holds(k) is true; last when there is none.  Once true,
// holds() must be true of all larger k.
template <class Holds>
static __device__ __forceinline__ int first_where(int first, int last, Holds &&holds)
{
    while (first < last) {
        const int middle = first + (last - first) / 2;
        if (holds(middle))
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

}  // namespace g6::cuda
