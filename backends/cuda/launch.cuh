// SPDX-License-Identifier: MIT
// Programmatic dependent launch: from compute capability 9.0 on, blocks of the next kernel become
// resident, and wait, while the last blocks of the preceding kernel still run.  This saves one to
// two microseconds a kernel.
//
// Invariants
//  * A kernel launched by launch_next() calls wait_for_previous() before it touches anything that
//    an earlier kernel wrote or still reads.
//  * Every launch is checked on its own: the library that sorts and scans (CUB) forgets an error
//    that an earlier launch left for cudaGetLastError().
#pragma once

#include "error.h"

#include <cuda_runtime.h>

namespace g6::cuda {

static __device__ __forceinline__ void wait_for_previous()
{
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

// From this call on, blocks of the next kernel may become resident.
static __device__ __forceinline__ void let_next_start()
{
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

// The usual beginning of a kernel that launch_next() launches.
static __device__ __forceinline__ void take_turn()
{
    wait_for_previous();
    let_next_start();
}

// Number of blocks of `size` threads that make at least so many threads.
inline unsigned blocks(long long threads, int size)
{
    return static_cast<unsigned>((threads + size - 1) / size);
}

// After a launch by <<<>>>.
inline void check_launch()
{
    check(cudaGetLastError(), "launch");
}

// bytes: of dynamic shared memory.
template <class... Parameters, class... Arguments>
void launch_next_with(size_t bytes, void (*kernel)(Parameters...), dim3 grid, int threads,
                      cudaStream_t stream, const Arguments &...arguments)
{
    int device = 0, major = 0;
    check(cudaGetDevice(&device), "launch");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "launch");
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = &overlap;
    config.numAttrs = major >= 9 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), "launch");
}

template <class... Parameters, class... Arguments>
void launch_next(void (*kernel)(Parameters...), dim3 grid, int threads, cudaStream_t stream,
                 const Arguments &...arguments)
{
    launch_next_with(0, kernel, grid, threads, stream, arguments...);
}

}  // namespace g6::cuda
