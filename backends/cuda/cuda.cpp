// SPDX-License-Identifier: MIT
// The entry of g6_cuda.so: counts, describes and opens devices.
#include "../../libg6gpu/base/kept_text.h"
#include "device.h"

#include <cstdio>

namespace g6::cuda {
namespace {

int count(const char **why)
{
    int n = 0;
    const cudaError_t code = cudaGetDeviceCount(&n);
    if (code == cudaSuccess && n > 0) return n;
    *why = code == cudaErrorInsufficientDriver   ? "no NVIDIA driver, or one older than this CUDA"
           : code == cudaErrorNoDevice || n == 0 ? "no NVIDIA device"
                                                 : kept_text(cudaGetErrorString(code));
    cudaGetLastError();
    return -1;
}

DeviceStatus describe(int number, DeviceInfo *info)
{
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, number) != cudaSuccess) {
        cudaGetLastError();
        return kDeviceLost;
    }
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess) cudaGetLastError();
    *info = DeviceInfo{};
    std::snprintf(info->name, sizeof info->name, "%s", p.name);
    std::snprintf(info->notes, sizeof info->notes,
                  "compute capability %d.%d, driver for CUDA %d.%d; precisions mixed, double, "
                  "single (treeonly)",
                  p.major, p.minor, driver / 1000, driver % 1000 / 10);
    info->memory_bytes = static_cast<double>(p.totalGlobalMem);
    info->memory_free_bytes = info->memory_bytes;
    try {
        const Context context(number);
        info->memory_free_bytes = static_cast<double>(free_bytes());
    } catch (const CudaError &) {
        cudaGetLastError();  // memory_free_bytes stays all of it, since the device does not tell
    }
    info->compute_units = p.multiProcessorCount;
    // pairs_per_us: a multiprocessor has 128 lanes, and a pair in precision mixed takes 47 cycles
    // of one lane, as measured on an H200 (force.cu).
    // start_us: three launches and the wait for the results take 15 us.
    // share_us: one wave of thread blocks takes 140 us when its slices have the least length for
    // which adding them costs next to nothing (kLongSlice in gpu/launch_plan.h).
    int khz = 0;
    if (cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, number) != cudaSuccess)
        cudaGetLastError();
    info->speed = {p.multiProcessorCount * (khz / 1e3) * 128 / 47, 15, 140};
    info->has_double = 1;
    if (cudaDeviceGetPCIBusId(info->identity, sizeof info->identity, number) != cudaSuccess) {
        info->identity[0] = '\0';
        cudaGetLastError();
    }
    return kDeviceOk;
}

Device *open(int number, const DeviceOptions *options, const char **why)
{
    // Set once, because threads may open devices at the same time.
    static const PoolTable *const pool = loop_pool() = options->pool;
    (void)pool;
    try {
        return new CudaDevice(number, *options);
    } catch (const CudaError &e) {
        *why = kept_text(e.text.c_str());
    } catch (const std::exception &e) {
        *why = kept_text(e.what());
    }
    cudaGetLastError();
    return nullptr;
}

}  // namespace
}  // namespace g6::cuda

extern "C" __attribute__((visibility("default"))) const g6::Backend *g6_backend_entry()
{
    static const g6::Backend backend = {
        g6::kBackendAbi,           "cuda", g6::cuda::count, g6::cuda::describe, g6::cuda::open,
        g6::TreeSupport::kOwnTree, true};
    return &backend;
}
