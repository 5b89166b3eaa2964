// SPDX-License-Identifier: MIT
// Owners of CUDA handles.  Failure throws CudaError; the device object turns it into a status.
#pragma once

#include "error.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
#include <utility>

namespace g6::cuda {

// An array in device memory.  need(n) reserves n elements; contents are lost when it grows.
// It grows by half at least, where that fits.
template <class T> class DeviceArray {
public:
    DeviceArray() = default;
    ~DeviceArray() { release(); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;
    T *get() const { return data_; }
    size_t capacity() const { return capacity_; }
    void swap(DeviceArray &o)
    {
        std::swap(data_, o.data_);
        std::swap(capacity_, o.capacity_);
    }
    void need(size_t n)
    {
        if (n <= capacity_) return;
        const size_t larger = std::max(n, capacity_ + capacity_ / 2);
        release();
        cudaError_t code = allocate(larger);
        if (code == cudaErrorMemoryAllocation && larger > n) {
            cudaGetLastError();  // clears the error
            code = allocate(n);
        }
        check(code, "device memory");
    }
    // As need(), but for no more than n elements when it grows.
    void fit(size_t n)
    {
        if (n > capacity_) release();
        need(n);
    }
    void release()
    {
        cudaFree(data_);
        data_ = nullptr;
        capacity_ = 0;
    }

private:
    cudaError_t allocate(size_t n)
    {
        void *memory = nullptr;
        const cudaError_t code = cudaMalloc(&memory, n * sizeof(T));
        if (code != cudaSuccess) return code;
        data_ = static_cast<T *>(memory);
        capacity_ = n;
        return code;
    }

    T *data_ = nullptr;
    size_t capacity_ = 0;
};

// Reserves n elements, which the stream sets to zero.
template <class T> void need_zeros(DeviceArray<T> &a, size_t n, cudaStream_t stream)
{
    a.need(n);
    check(cudaMemsetAsync(a.get(), 0, n * sizeof(T), stream), "clearing");
}

inline size_t free_bytes()
{
    size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "memory");
    return free;
}

// Throws when so many bytes do not fit into free memory and `held` bytes, which are allocated and
// will be reused or freed.  what: as "60000000 particles"; remedy: what the user can do.
inline void check_free(size_t bytes, const std::string &what, const char *remedy, size_t held = 0)
{
    const size_t available = free_bytes() + held;
    if (bytes <= available) return;
    const auto mib = [](size_t n) { return std::to_string(n >> 20) + " MiB "; };
    throw CudaError{cudaErrorMemoryAllocation, "cuda: " + mib(bytes) + "needed for " + what + ", " +
                                                   mib(available) + "free; " + remedy};
}

// Reserves elements of several arrays.  Throws before any array grows if they do not fit together.
// Arrays grow by half where memory allows it for all of them, else by no more than is needed.
// each(f) calls f(array, elements) for each array.
template <class Each>
void reserve_together(const std::string &what, const char *remedy, Each &&each)
{
    size_t wanted = 0, held = 0;
    each([&](const auto &array, size_t n) {
        held += array.capacity() * sizeof *array.get();
        wanted += std::max(n, array.capacity()) * sizeof *array.get();
    });
    if (wanted == held) return;
    check_free(wanted, what, remedy, held);
    const bool is_ample = wanted + wanted / 2 <= free_bytes() + held;
    each([&](auto &array, size_t n) { is_ample ? array.need(n) : array.fit(n); });
}

// Pinned host memory that this device, and devices that share a block with it, read and write in
// place.
template <class T> class MappedArray {
public:
    MappedArray() = default;
    ~MappedArray() { cudaFreeHost(host_); }
    MappedArray(const MappedArray &) = delete;
    MappedArray &operator=(const MappedArray &) = delete;
    T *host() const { return host_; }
    T *device() const { return device_; }
    size_t capacity() const { return capacity_; }
    // Reserves n elements; doubles the array if it must grow and memory allows it.  The first
    // `kept` elements stay.
    void need(size_t n, size_t kept = 0)
    {
        if (n <= capacity_) return;
        constexpr unsigned kFlags = cudaHostAllocMapped | cudaHostAllocPortable;
        size_t larger = std::max(n, 2 * capacity_);
        void *host = nullptr, *device = nullptr;
        cudaError_t made = cudaHostAlloc(&host, larger * sizeof(T), kFlags);
        if (made == cudaErrorMemoryAllocation && larger > n) {
            cudaGetLastError();  // clears the error
            larger = n;
            made = cudaHostAlloc(&host, larger * sizeof(T), kFlags);
        }
        check(made, "pinned memory");
        if (const cudaError_t code = cudaHostGetDevicePointer(&device, host, 0)) {
            cudaFreeHost(host);
            check(code, "pinned memory");
        }
        std::copy_n(host_, kept, static_cast<T *>(host));
        cudaFreeHost(host_);
        host_ = static_cast<T *>(host);
        device_ = static_cast<T *>(device);
        capacity_ = larger;
    }

private:
    T *host_ = nullptr, *device_ = nullptr;
    size_t capacity_ = 0;
};

// A point in a stream of this device, for which streams of other devices and the host can wait.
class Event {
public:
    Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "event"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;
    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "event"); }
    // Work that is launched in `stream`, of any device, from now on waits for the recorded point.
    void make_wait(cudaStream_t stream) const
    {
        check(cudaStreamWaitEvent(stream, event_, 0), "waiting for another device");
    }
    // Makes the host wait for the recorded point.
    void wait(const char *what) const { check(cudaEventSynchronize(event_), what); }

private:
    cudaEvent_t event_ = nullptr;
};

// A kernel that stays in a stream and waits there for requests.
class Resident {
public:
    virtual ~Resident() = default;
    // Waits for the answer to the last request.  Then the stream is idle.
    virtual void await_answer() = 0;
    // Tells the kernel to end, when its last request is answered; does not wait for it.
    virtual void leave() = 0;
};

// The one stream of a device, and whether its kernels may still use pinned memory.  Any use of the
// stream as a cudaStream_t ends the kernel that stays in it, if there is one.
class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&state_->stream, cudaStreamNonBlocking), "stream"); }
    ~Stream()
    {
        cudaStreamDestroy(state_->stream);
        state_->busy = false;
    }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    // For launches and copies: a kernel that stays in the stream leaves it first.
    operator cudaStream_t() const
    {
        if (resident_) std::exchange(resident_, nullptr)->leave();
        return state_->stream;
    }
    // A kernel stays in the stream from now on; null: it has ended.
    void set_resident(Resident *kernel) { resident_ = kernel; }
    // Whether the stream still works on something.  Throws if the device has failed.  Does not end
    // the kernel that stays in the stream.
    bool is_working() const
    {
        const cudaError_t state = cudaStreamQuery(state_->stream);
        if (state != cudaErrorNotReady) check(state, "force");
        cudaGetLastError();  // "not ready" is no error, but some runtimes keep it as the last
        return state == cudaErrorNotReady;
    }
    // A kernel or a copy that uses pinned memory was launched.
    void mark_busy() { state_->busy = true; }
    // All that uses pinned memory has ended; a search for lists may still run.
    void mark_idle() { state_->busy = false; }
    // Notes that the stream of another device has work that uses this device's pinned memory.  The
    // next synchronize() of this stream waits for the other stream, too, and then forgets it.
    // Several threads may call this function at the same time.
    void share_memory(const Stream &other)
    {
        const std::lock_guard<std::mutex> lock(guests_mutex_);
        guests_.push_back(other.state_);
    }
    // Waits until pinned memory may be rewritten.
    void synchronize()
    {
        std::unique_lock<std::mutex> lock(guests_mutex_);
        for (const std::shared_ptr<State> &guest : guests_) guest->synchronize_quietly();
        guests_.clear();
        lock.unlock();
        if (resident_ && state_->busy) resident_->await_answer();
        state_->synchronize();
    }

private:
    struct State {
        cudaStream_t stream = nullptr;
        std::atomic<bool> busy{false};  // atomic, because a leader reads it on another thread
        void synchronize()
        {
            if (!busy) return;
            check(cudaStreamSynchronize(stream), "waiting");
            busy = false;
        }
        // Waits for the stream of another device and ignores a failure, which the next call to that
        // device reports.  A failed device does not touch this device's memory.
        void synchronize_quietly()
        {
            if (busy && cudaStreamSynchronize(stream) != cudaSuccess)
                cudaGetLastError();  // clears the error, which is not this device's
            busy = false;
        }
    };
    // Shared, because a guest's Stream may end before this stream waits; the guest is idle then.
    const std::shared_ptr<State> state_ = std::make_shared<State>();
    std::vector<std::shared_ptr<State>> guests_;
    std::mutex guests_mutex_;
    mutable Resident *resident_ = nullptr;
};

}  // namespace g6::cuda
