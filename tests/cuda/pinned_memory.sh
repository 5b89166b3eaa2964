#!/bin/sh
# SPDX-License-Identifier: MIT
# Pinned memory where the machine has enough for what is asked for, and not for the twice as much
# that it grows to elsewhere.  It takes CUDA's headers and no GPU.
# usage: sh tests/cuda/pinned_memory.sh
. "$(dirname "$0")/../script.inc"
cd "$(dirname "$0")/../.." || exit 1
. tests/cuda/headers.inc
cat >"$work/pinned.cpp" <<'END'
#include "backends/cuda/memory.h"

#include <cstdio>
#include <cstdlib>

static size_t room = 1000 * sizeof(double);

extern "C" {
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned)
{
    if (n > room) return cudaErrorMemoryAllocation;
    *p = std::malloc(n);
    return cudaSuccess;
}
cudaError_t cudaFreeHost(void *p)
{
    std::free(p);
    return cudaSuccess;
}
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned)
{
    *device = host;
    return cudaSuccess;
}
cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
const char *cudaGetErrorString(cudaError_t)
{
    return "an error";
}
}

int main()
{
    g6::cuda::MappedArray<double> array;
    array.need(600);
    array.host()[599] = 7;
    try {
        array.need(700, 600);
    } catch (const g6::cuda::CudaError &e) {
        std::printf("700 of 1000 places: %s\n", e.text.c_str());
        return 1;
    }
    if (array.capacity() != 700 || array.host()[599] != 7) return 1;
    try {
        array.need(1001);
    } catch (const g6::cuda::CudaError &) {
        return array.capacity() != 700 || array.host()[599] != 7;
    }
    return 1;
}
END
# shellcheck disable=SC2086  # a command with its words
$CXX -std=c++17 -O1 -ffunction-sections -I. -Iinclude -isystem "$headers" "$work/pinned.cpp" \
    -o "$work/pinned" -Wl,--gc-sections || fail "it does not compile"
"$work/pinned" >"$work/out" 2>&1 || fail "$(cat "$work/out")"
finish
