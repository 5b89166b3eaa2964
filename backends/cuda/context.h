// SPDX-License-Identifier: MIT
// The driver's context of one device, in which the backend works, and the one that the calling
// thread had, which the backend leaves current.
//
// The runtime's idea of a current device is the driver's current context.  The driver is asked for
// it, because cudaGetDevice() and cudaSetDevice() cannot bring back a context that the caller made
// itself, nor that the caller had none.
#pragma once

#include <cuda.h>

namespace g6::cuda {

class Context {
public:
    // Makes the device's context current.  Throws CudaError.
    explicit Context(int device);
    ~Context();
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;
    // Throws CudaError when the context is gone.
    void enter();
    // The caller's own context is current afterwards.
    void leave() noexcept;

private:
    CUcontext own_ = nullptr, callers_ = nullptr;
    bool inside_ = false;
};

// In a context for as long as it lives.
class Inside {
public:
    explicit Inside(Context &context) : context_(context) { context_.enter(); }
    ~Inside() { context_.leave(); }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;

private:
    Context &context_;
};

}  // namespace g6::cuda
