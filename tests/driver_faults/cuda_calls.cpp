// SPDX-License-Identifier: MIT
// Every call of the CUDA runtime that backends/cuda makes, for a test build of g6_cuda.so: the
// linker's --wrap=NAME sends each call to __wrap_NAME() here, which fails when faults.h says so and
// otherwise calls __real_NAME(), the runtime's function.  The makefile takes the names from the
// lines that begin with CALL, MAKE or RELEASE.
//
// As in the runtime, a failure is the last error until the program asks for it; while a device is
// gone, the error stays.
#include "faults.h"

#include <atomic>
#include <cuda_runtime_api.h>

namespace {

using namespace g6::faults;

thread_local cudaError_t t_last = cudaSuccess;
std::atomic<bool> g_gone{false};
std::atomic<int> g_gone_device{-1};  // -1: all devices

// The failure that nobody has asked for.
cudaError_t last(bool forget)
{
    const bool all = g_gone_device < 0,
               gone = g_gone && armed() && (all || g_gone_device == device_of_caller());
    if (g_gone && !gone) t_last = cudaSuccess;
    const cudaError_t code = t_last;
    if (forget && !gone) t_last = cudaSuccess;
    return code;
}

cudaError_t code_of(Kind kind)
{
    g_gone = kind == kGone || kind == kGoneAlone;
    g_gone_device = kind == kGoneAlone ? device_of_caller() : -1;
    t_last = kind == kMemory ? cudaErrorMemoryAllocation : cudaErrorLaunchFailure;
    return t_last;
}

}  // namespace

extern "C" cudaError_t __real_cudaGetDevice(int *device);
int g6::faults::device_of_caller()
{
    int device = 0;
    return __real_cudaGetDevice(&device) == cudaSuccess ? device : 0;
}

// A name, its parameters and the same as arguments.
#define CALL(name, parameters, arguments)                                                          \
    extern "C" cudaError_t __real_##name parameters;                                               \
    extern "C" cudaError_t __wrap_##name parameters                                                \
    {                                                                                              \
        if (const Kind kind = failure(#name)) return code_of(kind);                                \
        return __real_##name arguments;                                                            \
    }
#define MAKE(name, parameters, arguments)                                                          \
    extern "C" cudaError_t __real_##name parameters;                                               \
    extern "C" cudaError_t __wrap_##name parameters                                                \
    {                                                                                              \
        if (const Kind kind = failure(#name)) return code_of(kind);                                \
        const cudaError_t code = __real_##name arguments;                                          \
        if (code == cudaSuccess) made(kHeld);                                                      \
        return code;                                                                               \
    }
#define RELEASE(name, type)                                                                        \
    extern "C" cudaError_t __real_##name(type handle);                                             \
    extern "C" cudaError_t __wrap_##name(type handle)                                              \
    {                                                                                              \
        const Kind kind = failure_of_release(#name);                                               \
        const cudaError_t code = __real_##name(handle);                                            \
        if (code == cudaSuccess && handle) released(kHeld);                                        \
        return kind ? code_of(kind) : code;                                                        \
    }

CALL(cudaGetDeviceCount, (int *n), (n))
CALL(cudaGetDeviceProperties, (cudaDeviceProp * p, int device), (p, device))
CALL(cudaDeviceGetAttribute, (int *value, cudaDeviceAttr what, int device), (value, what, device))
CALL(cudaDriverGetVersion, (int *version), (version))
CALL(cudaGetDevice, (int *device), (device))
CALL(cudaSetDevice, (int device), (device))
CALL(cudaMemGetInfo, (size_t * free, size_t *total), (free, total))
CALL(cudaHostGetDevicePointer, (void **device, void *host, unsigned flags), (device, host, flags))
CALL(cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t s),
     (to, from, bytes, kind, s))
CALL(cudaMemcpy2DAsync,
     (void *to, size_t to_step, const void *from, size_t from_step, size_t width, size_t height,
      cudaMemcpyKind kind, cudaStream_t s),
     (to, to_step, from, from_step, width, height, kind, s))
CALL(cudaMemsetAsync, (void *to, int byte, size_t bytes, cudaStream_t s), (to, byte, bytes, s))
CALL(cudaStreamQuery, (cudaStream_t s), (s))
CALL(cudaStreamSynchronize, (cudaStream_t s), (s))
CALL(cudaStreamWaitEvent, (cudaStream_t s, cudaEvent_t e, unsigned flags), (s, e, flags))
CALL(cudaEventRecord, (cudaEvent_t e, cudaStream_t s), (e, s))
CALL(cudaEventSynchronize, (cudaEvent_t e), (e))
CALL(cudaDeviceGetPCIBusId, (char *id, int bytes, int device), (id, bytes, device))
CALL(cudaDeviceCanAccessPeer, (int *can, int device, int peer), (can, device, peer))
CALL(cudaDeviceEnablePeerAccess, (int peer, unsigned flags), (peer, flags))
CALL(cudaDeviceGetP2PAttribute, (int *value, cudaDeviceP2PAttr what, int device, int peer),
     (value, what, device, peer))
CALL(cudaFuncSetAttribute, (const void *kernel, cudaFuncAttribute what, int value),
     (kernel, what, value))
CALL(cudaLaunchCooperativeKernel,
     (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t bytes, cudaStream_t s),
     (kernel, grid, block, arguments, bytes, s))
CALL(cudaFuncGetAttributes, (cudaFuncAttributes * a, const void *kernel), (a, kernel))
CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
     (int *blocks, const void *kernel, int threads, size_t bytes, unsigned flags),
     (blocks, kernel, threads, bytes, flags))
CALL(cudaLaunchKernelExC, (const cudaLaunchConfig_t *c, const void *kernel, void **arguments),
     (c, kernel, arguments))
CALL(cudaLaunchKernel,
     (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t bytes, cudaStream_t s),
     (kernel, grid, block, arguments, bytes, s))
#if CUDART_VERSION < 13000
CALL(cudaGetDeviceProperties_v2, (cudaDeviceProp * p, int device), (p, device))
#else
CALL(__cudaLaunchKernel,
     (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t bytes, cudaStream_t s),
     (kernel, grid, block, arguments, bytes, s))
#endif
MAKE(cudaMalloc, (void **memory, size_t bytes), (memory, bytes))
MAKE(cudaHostAlloc, (void **memory, size_t bytes, unsigned flags), (memory, bytes, flags))
MAKE(cudaStreamCreateWithFlags, (cudaStream_t * s, unsigned flags), (s, flags))
MAKE(cudaEventCreateWithFlags, (cudaEvent_t * e, unsigned flags), (e, flags))
RELEASE(cudaEventDestroy, cudaEvent_t)
RELEASE(cudaFree, void *)
RELEASE(cudaFreeHost, void *)
RELEASE(cudaStreamDestroy, cudaStream_t)

// These tell of failures and have none of their own.
extern "C" cudaError_t __real_cudaGetLastError(void);
extern "C" cudaError_t __wrap_cudaGetLastError(void)
{
    const cudaError_t drivers = __real_cudaGetLastError(), mine = last(true);
    return mine != cudaSuccess ? mine : drivers;
}
extern "C" cudaError_t __real_cudaPeekAtLastError(void);
extern "C" cudaError_t __wrap_cudaPeekAtLastError(void)
{
    const cudaError_t mine = last(false);
    return mine != cudaSuccess ? mine : __real_cudaPeekAtLastError();
}
