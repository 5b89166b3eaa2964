// SPDX-License-Identifier: MIT
// Copies j-particles from the slots of another device, which this one reads over a link between
// them.
//
// Floor: 17 fields and an index, 140 bytes a particle.  Particles at scattered slots are read in
// sectors of 32 bytes, 576 bytes a particle.
#include "kernels.h"
#include "launch.cuh"

namespace g6::cuda {
namespace {

constexpr int kCopy = 128;  // threads of a block

// slot: of each particle; null: slots 0 ... n-1.
__global__ void __launch_bounds__(kCopy)
    copy_slots_kernel(JMemory from, JMemory to, const int *slot, int n)
{
    const int k = static_cast<int>(blockIdx.x * kCopy + threadIdx.x);
    if (k >= n) return;
    const int s = slot ? slot[k] : k;
    double value[kFields];
    for (int f = 0; f < kFields; f++) value[f] = from.field[f] ? from.field[f][s] : 0.0;
    const int index = from.index[s];
    for (int f = 0; f < kFields; f++)
        if (to.field[f]) to.field[f][s] = value[f];
    to.index[s] = index;
}

}  // namespace

void launch_copy_slots(cudaStream_t s, const JMemory &from, const JMemory &to, const int *slot,
                       int n)
{
    if (n == 0) return;
    copy_slots_kernel<<<blocks(n, kCopy), kCopy, 0, s>>>(from, to, slot, n);
    check_launch();
}

}  // namespace g6::cuda
