// SPDX-License-Identifier: MIT
// Owners of OpenCL handles, and the command queue, which counts transfers and waits.  A failed call
// throws ClError; the device object turns it into a status.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "../../libg6gpu/backend.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

namespace g6::opencl {

struct ClError {
    cl_int code;
    std::string text;
};

// The name of the code, as "CL_OUT_OF_RESOURCES"; the number where the name is unknown.
std::string code_name(cl_int code);

inline void check(cl_int code, const char *what)
{
    if (code != CL_SUCCESS)
        throw ClError{code, std::string("opencl: ") + what + ": " + code_name(code)};
}

// Errors after which less memory may help.
inline bool is_of_memory(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
           code == CL_INVALID_BUFFER_SIZE;
}

// Errors after which the device or its context is of no more use.  A device that the backend itself
// refuses has CL_INVALID_OPERATION.
inline bool is_of_device(cl_int code)
{
    return !is_of_memory(code) && code != CL_BUILD_PROGRAM_FAILURE && code != CL_INVALID_OPERATION;
}

template <class T, cl_int (*release)(T)> class Handle {
public:
    Handle() = default;
    explicit Handle(T handle) : handle_(handle) {}
    Handle(Handle &&o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
    Handle &operator=(Handle &&o) noexcept
    {
        std::swap(handle_, o.handle_);
        return *this;
    }
    ~Handle()
    {
        if (handle_) release(handle_);
    }
    T get() const { return handle_; }
    explicit operator bool() const { return handle_ != nullptr; }

private:
    T handle_ = nullptr;
};

using Context = Handle<cl_context, clReleaseContext>;
using Program = Handle<cl_program, clReleaseProgram>;
using Kernel = Handle<cl_kernel, clReleaseKernel>;
using Memory = Handle<cl_mem, clReleaseMemObject>;
using Event = Handle<cl_event, clReleaseEvent>;

inline void set_arg(cl_kernel kernel, cl_uint place, const Memory &value)
{
    cl_mem memory = value.get();
    check(clSetKernelArg(kernel, place, sizeof memory, &memory), "argument");
}
template <class T> void set_arg(cl_kernel kernel, cl_uint place, const T &value)
{
    check(clSetKernelArg(kernel, place, sizeof value, &value), "argument");
}
template <class... T> void set_args(cl_kernel kernel, const T &...values)
{
    cl_uint place = 0;
    (set_arg(kernel, place++, values), ...);
}

// One in-order queue.
//
// takes_turns: no two kernels of the process run at the same time.  PoCL before version 6 needs
// this: when two launches of one kernel run at the same time, and the second has the larger grid,
// PoCL ends the process by an assertion in pocl_release_dlhandle_cache, which finds the entry to
// release by the kernel's name and the size of its groups alone.
class Queue {
public:
    Queue(cl_context context, cl_device_id device, bool takes_turns)
        : context_(context), takes_turns_(takes_turns)
    {
        cl_int code = CL_SUCCESS;
        queue_ = Owner(clCreateCommandQueue(context, device, 0, &code));
        check(code, "queue");
    }
    Queue(const Queue &) = delete;
    Queue &operator=(const Queue &) = delete;
    cl_context context() const { return context_; }
    cl_command_queue get() const { return queue_.get(); }

    // The device's counters: the queue counts copies and waits, DeviceWalk its work.
    DeviceCounters counters;

    // The host's memory must stay until the transfer has ended.  waits: the transfer has ended when
    // the call returns, even if the call fails.
    void write(const Memory &to, const void *from, size_t bytes, size_t at = 0, bool waits = false)
    {
        counters.copies_up++;
        counters.waits += waits;
        check(clEnqueueWriteBuffer(get(), to.get(), waits, at, bytes, from, 0, nullptr, nullptr),
              "sending");
    }
    // Returns an event that comes when the transfer has ended.  wait() for it throws if the
    // transfer has failed; OpenCL does not require this of finish().
    Event read(void *to, const Memory &from, size_t bytes, bool waits = false)
    {
        counters.copies_down++;
        counters.waits += waits;
        cl_event end = nullptr;
        check(clEnqueueReadBuffer(get(), from.get(), waits, 0, bytes, to, 0, nullptr, &end),
              "receiving");
        return Event(end);
    }
    void wait(const Event &event)
    {
        counters.waits++;
        const cl_event waited = event.get();
        check(clWaitForEvents(1, &waited), "waiting");
    }
    // Copies within the device.  Returns an event as read() does.
    Event copy(const Memory &to, size_t to_byte, const Memory &from, size_t from_byte, size_t bytes)
    {
        cl_event end = nullptr;
        check(clEnqueueCopyBuffer(get(), from.get(), to.get(), from_byte, to_byte, bytes, 0,
                                  nullptr, &end),
              "copying");
        return Event(end);
    }
    void zero(const Memory &memory, size_t bytes)
    {
        const cl_int none = 0;
        check(clEnqueueFillBuffer(get(), memory.get(), &none, sizeof none, 0, bytes, 0, nullptr,
                                  nullptr),
              "clearing");
    }
    // Launches `rows` rows of `groups` work-groups of `size` items.
    void run(const Kernel &kernel, size_t groups, size_t size, size_t rows = 1)
    {
        const size_t global[2] = {groups * size, rows}, local[2] = {size, 1};
        static std::mutex turn;
        std::unique_lock<std::mutex> lock(turn, std::defer_lock);
        if (takes_turns_) lock.lock();
        check(clEnqueueNDRangeKernel(get(), kernel.get(), 2, nullptr, global, local, 0, nullptr,
                                     nullptr),
              "launch");
        if (takes_turns_) check(clFinish(get()), "waiting");
    }
    void flush() { check(clFlush(get()), "launch"); }
    void finish()
    {
        counters.waits++;
        check(clFinish(get()), "waiting");
    }

private:
    using Owner = Handle<cl_command_queue, clReleaseCommandQueue>;
    cl_context context_;
    bool takes_turns_;
    Owner queue_;
};

// Device memory of at least so many bytes; contents are lost when it grows.
class DeviceBuffer {
public:
    const Memory &get() const { return memory_; }
    operator const Memory &() const { return memory_; }
    void need(const Queue &queue, size_t bytes)
    {
        if (bytes <= bytes_ && memory_) return;
        const size_t larger = std::max(std::max<size_t>(bytes, 64), bytes_ + bytes_ / 2);
        memory_ = Memory();
        bytes_ = 0;
        cl_int code = CL_SUCCESS;
        memory_ =
            Memory(clCreateBuffer(queue.context(), CL_MEM_READ_WRITE, larger, nullptr, &code));
        check(code, "device memory");
        bytes_ = larger;
    }

private:
    Memory memory_;
    size_t bytes_ = 0;
};

// Host memory that the driver can copy from and to at full speed, mapped for good.
class PinnedBuffer {
public:
    PinnedBuffer() = default;
    PinnedBuffer(const PinnedBuffer &) = delete;
    PinnedBuffer &operator=(const PinnedBuffer &) = delete;
    ~PinnedBuffer() { unmap(); }
    char *host() const { return host_; }
    // Memory for at least so many bytes; the first `kept` bytes keep their contents.
    void need(const Queue &queue, size_t bytes, size_t kept = 0)
    {
        if (bytes <= bytes_) return;
        const size_t larger = std::max<size_t>({bytes, 2 * bytes_, 4096});
        cl_int code = CL_SUCCESS;
        Memory memory(clCreateBuffer(queue.context(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                     larger, nullptr, &code));
        check(code, "pinned memory");
        void *host =
            clEnqueueMapBuffer(queue.get(), memory.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                               larger, 0, nullptr, nullptr, &code);
        check(code, "pinned memory");
        if (kept) std::memcpy(host, host_, kept);
        unmap();
        memory_ = std::move(memory);
        host_ = static_cast<char *>(host);
        bytes_ = larger;
        queue_ = queue.get();
    }

private:
    void unmap()
    {
        if (host_) clEnqueueUnmapMemObject(queue_, memory_.get(), host_, 0, nullptr, nullptr);
        host_ = nullptr;
    }
    cl_command_queue queue_ = nullptr;
    Memory memory_;
    char *host_ = nullptr;
    size_t bytes_ = 0;
};

}  // namespace g6::opencl
