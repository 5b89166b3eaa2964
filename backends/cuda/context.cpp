// SPDX-License-Identifier: MIT
// Switches the calling thread between its own context and the device's, by two functions of the
// driver's library libcuda.so.1, which is loaded at run time.
#include "context.h"

#include "error.h"

#include <dlfcn.h>

namespace g6::cuda {
namespace {

struct Driver {
    decltype(&cuCtxGetCurrent) get_current;
    decltype(&cuCtxSetCurrent) set_current;
};

// The driver's library, which the CUDA runtime uses, too.  It is not linked, because this backend
// must load on machines without a driver and tell that there is none.
const Driver &driver()
{
    static const Driver functions = [] {
        Driver d{};
        if (void *library = dlopen("libcuda.so.1", RTLD_LAZY)) {
            d.get_current =
                reinterpret_cast<decltype(d.get_current)>(dlsym(library, "cuCtxGetCurrent"));
            d.set_current =
                reinterpret_cast<decltype(d.set_current)>(dlsym(library, "cuCtxSetCurrent"));
        }
        if (!d.get_current || !d.set_current)
            throw CudaError{cudaErrorInsufficientDriver,
                            "cuda: libcuda.so.1 lacks cuCtxGetCurrent or cuCtxSetCurrent"};
        return d;
    }();
    return functions;
}

CUcontext current()
{
    CUcontext context = nullptr;
    return driver().get_current(&context) == CUDA_SUCCESS ? context : nullptr;
}

}  // namespace

Context::Context(int device) : callers_(current())
{
    try {
        check(cudaSetDevice(device), "device");
        check(cudaFree(nullptr), "device");  // older runtimes make the context at first use
        own_ = current();
    } catch (...) {
        driver().set_current(callers_);
        throw;
    }
    inside_ = true;
}

Context::~Context()
{
    leave();
    cudaGetLastError();  // clears an error of a destructor, which a later call must not report
}

void Context::enter()
{
    callers_ = current();
    if (callers_ != own_ && driver().set_current(own_) != CUDA_SUCCESS)
        throw CudaError{cudaErrorContextIsDestroyed, "cuda: the device's context is gone"};
    inside_ = true;
}

void Context::leave() noexcept
{
    if (inside_ && callers_ != own_) driver().set_current(callers_);
    inside_ = false;
}

}  // namespace g6::cuda
