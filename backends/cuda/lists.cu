// SPDX-License-Identifier: MIT
// Neighbour lists of a direct sum: a first pass counts, a scan makes offsets, a second pass fills.
// A thread serves one or four i-particles and a slice of the j-particles; gpu/list_search.h has the
// search.
#include "kernels.h"
#include "launch.cuh"
#include "particles.cuh"

#include <cub/device/device_scan.cuh>

namespace g6::cuda {
namespace {

G6_FN double list_i(const ListSearch *s, int c, int n)
{
    return s->i.x[static_cast<size_t>(c) * static_cast<size_t>(s->i.capacity) + n];
}
G6_FN double list_h2(const ListSearch *s, int n)
{
    return s->i.h2[n];
}
G6_FN int list_index(const ListSearch *s, int n)
{
    return s->i.index[n];
}
G6_FN double list_j(const ListSearch *s, int c, int slot)
{
    return s->p.x[c][slot];
}
G6_FN int2 list_id(const ListSearch *s, int slot)
{
    return identity(s->j, slot);
}
G6_FN long list_begin(const ListSearch *s, int n, int slice)
{
    return s->offset[static_cast<size_t>(n) * s->slices + slice];
}
G6_FN int list_item()
{
    return static_cast<int>(threadIdx.x);
}
G6_FN int list_any(int x, int *)
{
    return __syncthreads_or(x);
}

#define G6_FN_RARE static __device__ __noinline__
#define G6_GLOBAL
#define G6_LOCAL
#define G6_BARRIER() __syncthreads()
#define G6_UNROLL_BATCH _Pragma("unroll 2")
#define G6_LIST_ITEMS kListThreads
#define G6_LIST_BATCH kListBatch
namespace one {
#define G6_LIST_PER 1
#include "../gpu/list_search.h"
#undef G6_LIST_PER
}  // namespace one
namespace four {
#define G6_LIST_PER 4
#include "../gpu/list_search.h"
#undef G6_LIST_PER
}  // namespace four

template <bool kFour, bool kFill>
__global__ void __launch_bounds__(kListThreads) list_kernel(const __grid_constant__ ListSearch s)
{
    __shared__ float4 batch[kListBatch];
    const int group = static_cast<int>(blockIdx.x), slice = static_cast<int>(blockIdx.y),
              first = slice * s.length, end = first + min(s.nj - first, s.length);
    if (kFour)
        four::list_slice(&s, kFill, group, slice, first, end, s.count, batch, nullptr);
    else
        one::list_slice(&s, kFill, group, slice, first, end, s.count, batch, nullptr);
}

}  // namespace

void launch_lists(cudaStream_t stream, const ListSearch &s, int per_lane, bool fill)
{
    const dim3 grid(blocks(s.ni, kListThreads * per_lane), static_cast<unsigned>(s.slices));
    const auto one = fill ? list_kernel<false, true> : list_kernel<false, false>,
               four = fill ? list_kernel<true, true> : list_kernel<true, false>;
    (per_lane == 1 ? one : four)<<<grid, kListThreads, 0, stream>>>(s);
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
