// SPDX-License-Identifier: MIT
// Every OpenCL call that backends/opencl makes, in a shared object for LD_PRELOAD: a call fails
// when faults.h says so, and otherwise calls the driver's function.
#include "faults.h"

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

#define G6_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using namespace g6::faults;

// The driver's function of this name: that of the library behind this one.
template <class F> F *next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        std::fprintf(stderr, "driver_faults: no %s behind this library\n", name);
        std::abort();
    }
    return reinterpret_cast<F *>(function);
}

cl_int code_of(Kind kind)
{
    return kind == kNone     ? CL_SUCCESS
           : kind == kMemory ? CL_MEM_OBJECT_ALLOCATION_FAILURE
           : kind == kLost   ? CL_OUT_OF_RESOURCES
                             : CL_DEVICE_NOT_AVAILABLE;
}

// A call that makes an object and reports by its last argument.
template <class Real, class... A>
auto make(const char *name, Real *real, Object object, cl_int *code, A... a)
    -> decltype(real(a..., code))
{
    if (const Kind kind = failure(name)) {
        if (code) *code = code_of(kind);
        return nullptr;
    }
    const auto handle = real(a..., code);
    if (handle) made(object);
    return handle;
}

template <class Real, class T> cl_int release(const char *name, Real *real, Object object, T handle)
{
    const Kind kind = failure_of_release(name);
    const cl_int code = real(handle);
    if (code == CL_SUCCESS) released(object);
    return kind ? code_of(kind) : code;
}

}  // namespace

// kGoneAlone is not tried here: most calls do not tell their device.
int g6::faults::device_of_caller()
{
    return 0;
}

// A name, its parameters and the same as arguments: calls that return a code.
#define CALL(name, parameters, arguments)                                                          \
    G6_EXPORT cl_int name parameters                                                               \
    {                                                                                              \
        static auto *const real = next<decltype(name)>(#name);                                     \
        if (const Kind kind = failure(#name)) return code_of(kind);                                \
        return real arguments;                                                                     \
    }
#define MAKE(type, name, object, parameters, ...)                                                  \
    G6_EXPORT type name parameters                                                                 \
    {                                                                                              \
        static auto *const real = next<decltype(name)>(#name);                                     \
        return make(#name, real, object, code, __VA_ARGS__);                                       \
    }
#define RELEASE(type, name, object)                                                                \
    G6_EXPORT cl_int name(type handle)                                                             \
    {                                                                                              \
        static auto *const real = next<decltype(name)>(#name);                                     \
        return release(#name, real, object, handle);                                               \
    }

CALL(clGetPlatformIDs, (cl_uint n, cl_platform_id *ids, cl_uint *found), (n, ids, found))
CALL(clGetPlatformInfo,
     (cl_platform_id id, cl_platform_info what, size_t size, void *value, size_t *bytes),
     (id, what, size, value, bytes))
CALL(clGetDeviceIDs,
     (cl_platform_id id, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *found),
     (id, type, n, ids, found))
CALL(clGetDeviceInfo,
     (cl_device_id id, cl_device_info what, size_t size, void *value, size_t *bytes),
     (id, what, size, value, bytes))
CALL(clBuildProgram,
     (cl_program program, cl_uint n, const cl_device_id *ids, const char *options,
      void(CL_CALLBACK *notify)(cl_program, void *), void *data),
     (program, n, ids, options, notify, data))
CALL(clGetProgramBuildInfo,
     (cl_program program, cl_device_id id, cl_program_build_info what, size_t size, void *value,
      size_t *bytes),
     (program, id, what, size, value, bytes))
CALL(clSetKernelArg, (cl_kernel kernel, cl_uint place, size_t size, const void *value),
     (kernel, place, size, value))
CALL(clEnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem to, cl_bool blocks, size_t at, size_t bytes, const void *from,
      cl_uint n, const cl_event *before, cl_event *event),
     (queue, to, blocks, at, bytes, from, n, before, event))
CALL(clEnqueueFillBuffer,
     (cl_command_queue queue, cl_mem to, const void *pattern, size_t size, size_t at, size_t bytes,
      cl_uint n, const cl_event *before, cl_event *event),
     (queue, to, pattern, size, at, bytes, n, before, event))
CALL(clEnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
      const size_t *global, const size_t *local, cl_uint n, const cl_event *before,
      cl_event *event),
     (queue, kernel, dimensions, offset, global, local, n, before, event))
CALL(clFlush, (cl_command_queue queue), (queue))
CALL(clFinish, (cl_command_queue queue), (queue))
CALL(clWaitForEvents, (cl_uint n, const cl_event *events), (n, events))

MAKE(cl_context, clCreateContext, kKept,
     (const cl_context_properties *properties, cl_uint n, const cl_device_id *ids,
      void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
      cl_int *code),
     properties, n, ids, notify, data)
MAKE(cl_command_queue, clCreateCommandQueue, kHeld,
     (cl_context context, cl_device_id id, cl_command_queue_properties properties, cl_int *code),
     context, id, properties)
MAKE(cl_mem, clCreateBuffer, kHeld,
     (cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *code), context,
     flags, bytes, host)
MAKE(cl_program, clCreateProgramWithSource, kKept,
     (cl_context context, cl_uint n, const char **text, const size_t *bytes, cl_int *code), context,
     n, text, bytes)
MAKE(cl_kernel, clCreateKernel, kHeld, (cl_program program, const char *name, cl_int *code),
     program, name)

RELEASE(cl_context, clReleaseContext, kKept)
RELEASE(cl_command_queue, clReleaseCommandQueue, kHeld)
RELEASE(cl_mem, clReleaseMemObject, kHeld)
RELEASE(cl_program, clReleaseProgram, kKept)
RELEASE(cl_kernel, clReleaseKernel, kHeld)
RELEASE(cl_event, clReleaseEvent, kHeld)

// The event of a command that has failed; null where there is none.
cl_event failed_event(cl_command_queue queue)
{
    cl_context context = nullptr;
    cl_int code = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, nullptr);
    if (code != CL_SUCCESS) return nullptr;
    const cl_event event = clCreateUserEvent(context, &code);
    if (event) clSetUserEventStatus(event, CL_OUT_OF_RESOURCES);
    return event;
}

// The calls that make events.  waits: the call returns when the transfer has ended.
#define TRANSFER(name, waits, parameters, arguments)                                               \
    G6_EXPORT cl_int name parameters                                                               \
    {                                                                                              \
        static auto *const real = next<decltype(name)>(#name);                                     \
        const Kind kind = failure(#name);                                                          \
        if (kind == kLate && !(waits)) {                                                           \
            if (event && (*event = failed_event(queue))) made(kHeld);                              \
            return CL_SUCCESS;                                                                     \
        }                                                                                          \
        if (kind) return code_of(kind);                                                            \
        const cl_int code = real arguments;                                                        \
        if (code == CL_SUCCESS && event) made(kHeld);                                              \
        return code;                                                                               \
    }

TRANSFER(clEnqueueReadBuffer, blocks,
         (cl_command_queue queue, cl_mem from, cl_bool blocks, size_t at, size_t bytes, void *to,
          cl_uint n, const cl_event *before, cl_event *event),
         (queue, from, blocks, at, bytes, to, n, before, event))
TRANSFER(clEnqueueCopyBuffer, false,
         (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at, size_t to_at,
          size_t bytes, cl_uint n, const cl_event *before, cl_event *event),
         (queue, from, to, from_at, to_at, bytes, n, before, event))

// Mapping and unmapping leave the buffer's life as it is.
G6_EXPORT void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool blocks,
                                   cl_map_flags flags, size_t at, size_t bytes, cl_uint n,
                                   const cl_event *before, cl_event *event, cl_int *code)
{
    static auto *const real = next<decltype(clEnqueueMapBuffer)>("clEnqueueMapBuffer");
    if (const Kind kind = failure("clEnqueueMapBuffer")) {
        if (code) *code = code_of(kind);
        return nullptr;
    }
    return real(queue, memory, blocks, flags, at, bytes, n, before, event, code);
}

G6_EXPORT cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *mapped,
                                         cl_uint n, const cl_event *before, cl_event *event)
{
    static auto *const real = next<decltype(clEnqueueUnmapMemObject)>("clEnqueueUnmapMemObject");
    const Kind kind = failure_of_release("clEnqueueUnmapMemObject");
    const cl_int code = real(queue, memory, mapped, n, before, event);
    return kind ? code_of(kind) : code;
}
