// SPDX-License-Identifier: MIT
// Reserves memory for a block's sums, queues their copies to pinned memory, and waits for them by a
// flag in pinned memory or by an event.
#include "results.h"

namespace g6::cuda {

Results::Results(Stream &stream, DeviceCounters &counters) : stream_(stream), counters_(counters)
{
    flag_.need(1);
    *flag_.host() = 0;
}

void Results::reserve(bool forces)
{
    const size_t n = static_cast<size_t>(ni_);
    has_forces_ = forces;
    if (home_ == this && forces) forces_.need(static_cast<size_t>(whole_ni_));
    if (home_ == this && !forces) sums_.need(static_cast<size_t>(whole_ni_));
    if (!in_place_ && forces) device_forces_.need(n);
    if (!in_place_ && !forces) device_sums_.need(n);
    is_sent_ = false;
    sequence_++;
}

void Results::begin(int ni, bool watched)
{
    ni_ = ni;
    watched_ = in_place_ = watched;
    reserve(false);
}

void Results::begin_walk(int ni, bool forces)
{
    ni_ = ni;
    watched_ = in_place_ = false;
    reserve(forces);
}

template <class T> void Results::copy(T *to, const T *from, int n)
{
    check(cudaMemcpyAsync(to, from, static_cast<size_t>(n) * sizeof(T), cudaMemcpyDeviceToHost,
                          stream_),
          "results");
}

void Results::send()
{
    if (!in_place_ && has_forces_)
        copy(home_->forces_.host() + first_, device_forces_.get(), ni_);
    else if (!in_place_)
        copy(home_->sums_.host() + first_, device_sums_.get(), ni_);
    if (!watched_) sent_.record(stream_);
    is_sent_ = !watched_;
    stream_.mark_busy();
    counters_.copies_down++;
}

void Results::send(int first, int end)
{
    if (has_forces_)
        copy(home_->forces_.host() + first, device_forces_.get() + first, end - first);
    else
        copy(home_->sums_.host() + first, device_sums_.get() + first, end - first);
    stream_.mark_busy();
    counters_.copies_down++;
}

double *Results::words() const
{
    return has_forces_ ? reinterpret_cast<double *>(device_forces_.get())
                       : reinterpret_cast<double *>(device_sums_.get());
}

void Results::deliver(const int *order, int n, const Destinations &to)
{
    launch_deliver(stream_, words(), has_forces_ ? kForceWords : kSumsWords, order, n, to);
    delivered_.record(stream_);
    stream_.mark_busy();
}

void Results::deliver_to_host(const int *order, int n)
{
    double *host = has_forces_ ? reinterpret_cast<double *>(home_->forces_.device())
                               : reinterpret_cast<double *>(home_->sums_.device());
    deliver(order, n, Destinations{{ni_}, {host}});
    counters_.copies_down++;
}

// The host does not wait for a search of neighbour lists that was launched behind the sums.  While
// it watches the flag, it asks the driver from time to time whether all is well.
void Results::wait()
{
    counters_.waits++;
    if (!watched_) {
        if (is_sent_)
            sent_.wait("force");
        else
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
