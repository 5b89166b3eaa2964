// SPDX-License-Identifier: MIT
// Owners of CUDA handles.  Failure throws CudaError; the device object turns it into a status.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace g6::cuda {

struct CudaError {
    cudaError_t code;
    std::string text;
};

inline void check(cudaError_t code, const char *what)
{
    if (code != cudaSuccess)
        throw CudaError{code, std::string("cuda: ") + what + ": " + cudaGetErrorString(code)};
}

// Device memory of at least n elements; contents are lost when it grows.
template <class T> class DeviceArray {
public:
    DeviceArray() = default;
    ~DeviceArray() { cudaFree(data_); }
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
        cudaFree(data_);
        data_ = nullptr;
        capacity_ = 0;
        check(cudaMalloc(reinterpret_cast<void **>(&data_), larger * sizeof(T)), "device memory");
        capacity_ = larger;
    }

private:
    T *data_ = nullptr;
    size_t capacity_ = 0;
};

// Pinned host memory that the device reads and writes in place.
template <class T> class MappedArray {
public:
    MappedArray() = default;
    ~MappedArray() { cudaFreeHost(host_); }
    MappedArray(const MappedArray &) = delete;
    MappedArray &operator=(const MappedArray &) = delete;
    T *host() const { return host_; }
    T *device() const { return device_; }
    size_t capacity() const { return capacity_; }
    // Room for n; the first kept elements stay.
    void need(size_t n, size_t kept = 0)
    {
        if (n <= capacity_) return;
        const size_t larger = std::max(n, 2 * capacity_);
        void *host = nullptr, *device = nullptr;
        check(cudaHostAlloc(&host, larger * sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable),
              "pinned memory");
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

class Stream {
public:
    Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream"); }
    ~Stream() { cudaStreamDestroy(stream_); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

}  // namespace g6::cuda
