// SPDX-License-Identifier: MIT
#include "results.h"

namespace g6::cuda {

Results::Results(Stream &stream, DeviceCounters &counters) : stream_(stream), counters_(counters)
{
    flag_.need(1);
    *flag_.host() = 0;
}

void Results::begin(int ni, bool watched)
{
    const size_t n = static_cast<size_t>(ni);
    ni_ = ni;
    watched_ = watched;
    has_forces_ = false;
    sums_.need(n);
    if (!watched) device_sums_.need(n);
    sequence_++;
}

void Results::begin_forces(int ni)
{
    const size_t n = static_cast<size_t>(ni);
    ni_ = ni;
    watched_ = false;
    has_forces_ = true;
    forces_.need(n);
    device_forces_.need(n);
    sequence_++;
}

template <class T> void Results::copy(const MappedArray<T> &to, const DeviceArray<T> &from)
{
    check(cudaMemcpyAsync(to.host(), from.get(), static_cast<size_t>(ni_) * sizeof(T),
                          cudaMemcpyDeviceToHost, stream_),
          "results");
}

void Results::send()
{
    if (has_forces_)
        copy(forces_, device_forces_);
    else if (!watched_)
        copy(sums_, device_sums_);
    stream_.mark_busy();
    counters_.copies_down++;
}

// While the host watches the flag, it asks the driver from time to time whether all is well.
void Results::wait()
{
    counters_.waits++;
    if (!watched_) {
        check(cudaStreamSynchronize(stream_), "force");
        stream_.mark_idle();
        return;
    }
    const volatile unsigned *flag = flag_.host();
    for (unsigned spins = 1; *flag != sequence_; spins++) {
        if (spins % 4096) continue;
        const cudaError_t state = cudaStreamQuery(stream_);
        if (state == cudaSuccess) {
            if (*flag == sequence_) break;
            throw CudaError{cudaErrorUnknown, "cuda: a block ended without results"};
        }
        if (state != cudaErrorNotReady) check(state, "force");
        cudaGetLastError();  // "not ready" is no error, but some runtimes keep it as the last
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    stream_.mark_idle();
}

}  // namespace g6::cuda
