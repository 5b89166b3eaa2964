// SPDX-License-Identifier: MIT
// The exception for a CUDA call that failed.  The device object turns it into a status.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

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

}  // namespace g6::cuda
