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
    sums_.need(n);
    if (!watched) device_sums_.need(n);
    sequence_++;
}

void Results::send()
{
    if (!watched_)
        check(cudaMemcpyAsync(sums_.host(), device_sums_.get(),
                              static_cast<size_t>(ni_) * sizeof(G6Sums), cudaMemcpyDeviceToHost,
                              stream_),
              "results");
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
