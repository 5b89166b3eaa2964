// SPDX-License-Identifier: MIT
// Writes the sums of a walk that several devices share: to the memory of another device, which
// sends them on to the host, or straight to the host (results.h).
// Consecutive threads write consecutive words, so that a sum goes over the link or the bus in whole
// sectors of 32 bytes.
#include "kernels.h"
#include "launch.cuh"

namespace g6::cuda {
namespace {

constexpr int kDeliver = 128;  // threads of a block

template <int kWords>
__global__ void __launch_bounds__(kDeliver)
    deliver_kernel(const double *sums, const int *order, int n, Destinations to)
{
    const long long k = static_cast<long long>(blockIdx.x) * kDeliver + threadIdx.x;
    if (k >= static_cast<long long>(n) * kWords) return;
    const int i = order[k / kWords], word = static_cast<int>(k % kWords);
    int range = 0;
    while (i >= to.end[range]) range++;
    const size_t at = static_cast<size_t>(i) * kWords + static_cast<size_t>(word);
    if (to.sums[range] != sums) to.sums[range][at] = sums[at];
}

}  // namespace

void launch_deliver(cudaStream_t s, const double *sums, int words, const int *order, int n,
                    const Destinations &to)
{
    if (n == 0) return;
    const unsigned grid = blocks(static_cast<long long>(n) * words, kDeliver);
    if (words == kForceWords)
        deliver_kernel<kForceWords><<<grid, kDeliver, 0, s>>>(sums, order, n, to);
    else
        deliver_kernel<kSumsWords><<<grid, kDeliver, 0, s>>>(sums, order, n, to);
    check_launch();
}

}  // namespace g6::cuda
