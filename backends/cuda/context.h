// SPDX-License-Identifier: MIT
// Each call of the backend works in the driver's context of its device, and then makes the context
// current that the calling thread had.
//
// This needs functions of the driver.  cudaGetDevice() and cudaSetDevice() know one context of each
// device; they cannot restore another context that the caller made, nor the lack of a context.
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
    // Makes the caller's context current.
    void leave() noexcept;

private:
    CUcontext own_ = nullptr, callers_ = nullptr;
    bool inside_ = false;
};

// Enters a context, and leaves it in the destructor.
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
