// SPDX-License-Identifier: MIT
// Each call of the backend works in the driver's context of its device, and then makes the calling
// thread's own context current, as it was.
//
// This needs the driver's functions.  cudaGetDevice() and cudaSetDevice() know one context of each
// device; they cannot bring back another one that the caller made, nor the state without a context.
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

// Enters a context, and leaves it at the end of its own life.
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
