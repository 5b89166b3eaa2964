// SPDX-License-Identifier: MIT
// Neighbour lists of a direct sum: a first pass counts, a scan makes offsets, a second pass fills.
// A warp serves an i-particle and a slice of the j-particles (lists.h).
#include "kernels.h"
#include "launch.cuh"
#include "particles.cuh"

#include <cub/device/device_scan.cuh>

namespace g6::cuda {
namespace {

struct ListArgs {
    ListRequest r;
    JMemory j;
    Predicted p;
    IMemory i;
};

// A warp per i-particle and slice: which of the 32 slots from k on belong to the list, one bit
// each; every lane gets the same mask.
static __device__ __forceinline__ unsigned list_mask(const ListArgs &a, int k, int n)
{
    const int slot = k + static_cast<int>(threadIdx.x % 32);
    bool hit = false;
    if (slot < a.r.nj) {
        const size_t c = static_cast<size_t>(a.i.capacity);
        const double r2 = g6_length2(a.p.x[0][slot] - a.i.x[n], a.p.x[1][slot] - a.i.x[c + n],
                                     a.p.x[2][slot] - a.i.x[2 * c + n]);
        if (r2 < a.i.h2[n]) {
            const int2 id = identity(a.j, slot);
            hit = id.y && (a.r.own || id.x != a.i.index[n]);
        }
    }
    return __ballot_sync(kAll, hit);
}

template <bool kFill>
__global__ void list_kernel(ListArgs a, int *count, const long long *offset, int *index, int *slots)
{
    const int n = static_cast<int>(blockIdx.x) * static_cast<int>(blockDim.x / 32) +
                  static_cast<int>(threadIdx.x / 32);
    const int slice = static_cast<int>(blockIdx.y), lane = static_cast<int>(threadIdx.x % 32);
    if (n >= a.r.ni) return;
    const size_t place = static_cast<size_t>(n) * a.r.plan.slices + slice;
    long long at = kFill ? offset[place] : 0;
    const int first = slice * a.r.plan.length, end = first + min(a.r.nj - first, a.r.plan.length);
    for (int k = first; k < end; k += 32) {
        const unsigned mask = list_mask(a, k, n);
        if (kFill && (mask >> lane & 1)) {
            const long long here = at + __popc(mask & ((1u << lane) - 1));
            index[here] = a.j.index[k + lane];
            slots[here] = k + lane;
        }
        at += __popc(mask);
    }
    if (!kFill && lane == 0) count[place] = static_cast<int>(at);
}

}  // namespace

void launch_count(cudaStream_t s, const ListRequest &r, const JMemory &j, const Predicted &p,
                  const IMemory &i, int *count)
{
    const dim3 grid(blocks(r.ni, 4), static_cast<unsigned>(r.plan.slices));
    list_kernel<false><<<grid, 128, 0, s>>>(ListArgs{r, j, p, i}, count, nullptr, nullptr, nullptr);
    check_launch();
}

void launch_fill(cudaStream_t s, const ListRequest &r, const JMemory &j, const Predicted &p,
                 const IMemory &i, const long long *offset, int *index, int *slot)
{
    const dim3 grid(blocks(r.ni, 4), static_cast<unsigned>(r.plan.slices));
    list_kernel<true><<<grid, 128, 0, s>>>(ListArgs{r, j, p, i}, nullptr, offset, index, slot);
    check_launch();
}

size_t scan_bytes(long long n)
{
    size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveScan(nullptr, bytes, static_cast<const int *>(nullptr),
                                         static_cast<long long *>(nullptr),
                                         ::cuda::std::plus<long long>(), 0LL, n),
          "scan");
    return bytes;
}

void launch_scan(cudaStream_t s, void *space, size_t bytes, const int *count, long long *offset,
                 long long n)
{
    check(cub::DeviceScan::ExclusiveScan(space, bytes, count, offset,
                                         ::cuda::std::plus<long long>(), 0LL, n, s),
          "scan");
}

}  // namespace g6::cuda
