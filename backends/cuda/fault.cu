// SPDX-License-Identifier: MIT
// A kernel that kills the context, for tests of recovery (libg6gpu/settings/fault.h).
#include "kernels.h"
#include "launch.cuh"

namespace g6::cuda {
namespace {

__global__ void trap_kernel()
{
    asm("trap;");
}

}  // namespace

void launch_trap(cudaStream_t s)
{
    trap_kernel<<<1, 1, 0, s>>>();
    check_launch();
}

}  // namespace g6::cuda
