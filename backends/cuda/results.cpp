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

void Results::begin(int ni, bool watched, bool forces)
{
    ni_ = ni;
    watched_ = watched;
    words_ = forces ? kForceWords : kSumsWords;
    const size_t size = static_cast<size_t>(words_);
    if (home_ == this) host_.need(static_cast<size_t>(whole_ni_) * size);
    if (!watched_) device_.need(static_cast<size_t>(ni_) * size);
    is_sent_ = false;
    sequence_++;
}

// Queues the copy of n sums, from number `from` of device memory to number `to` of the home's.
void Results::copy(int to, int from, int n)
{
    const size_t size = static_cast<size_t>(words_);
    check(cudaMemcpyAsync(home_->host_.host() + static_cast<size_t>(to) * size,
                          words() + static_cast<size_t>(from) * size,
                          static_cast<size_t>(n) * size * sizeof(double), cudaMemcpyDeviceToHost,
                          stream_),
          "results");
}

void Results::send()
{
    if (!watched_) copy(first_, 0, ni_);
    if (!watched_) sent_.record(stream_);
    is_sent_ = !watched_;
    stream_.mark_busy();
    counters_.copies_down++;
}

void Results::send(int first, int end)
{
    copy(first, first, end - first);
    stream_.mark_busy();
    counters_.copies_down++;
}

void Results::deliver(const int *order, int n, const Destinations &to)
{
    launch_deliver(stream_, words(), words_, order, n, to);
    delivered_.record(stream_);
    stream_.mark_busy();
}

void Results::deliver_to_host(const int *order, int n)
{
    deliver(order, n, Destinations{{ni_}, {home_->host_.device()}});
    counters_.copies_down++;
}

// Waits for the sums only, and not for a search of neighbour lists that was launched behind them.
// While the host watches the flag, it asks the driver from time to time whether the device works.
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
        if (spins % 4096 || stream_.is_working() || *flag == sequence_) continue;
        throw CudaError{cudaErrorUnknown, "cuda: a block ended without results"};
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    stream_.mark_idle();
}

}  // namespace g6::cuda
