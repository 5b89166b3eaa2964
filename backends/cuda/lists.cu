// SPDX-License-Identifier: MIT
// Neighbour lists of a direct sum: a first pass counts, a scan makes offsets, a second pass fills.
// A thread serves one or four i-particles and a slice of the j-particles (list_plan.h).
//
// Invariants
//  * An entry is decided by r2 < h^2 in double; h^2 is the client's, less eps^2 where lists are of
//    softened distances.  Floats only choose the pairs for which this is computed: those with
//    r2 <= limit, of positions from a centre amid the i-particles of the block of threads.  The
//    limit allows for the errors of floats, so that no entry is missed (candidates.h).
//  * A thread meets the slots of its slice in ascending order, so that lists are in the order of
//    slots.
//  * The first pass keeps up to ListPlan::kept entries of each i-particle and slice.  The second
//    pass copies them, and searches again only where there are more.
//
// Cost of a pair that is no entry: three subtractions, three multiply-adds, a minimum, a quarter of
// a comparison, and a read of shared memory divided by the i-particles of the thread.
#include "kernels.h"
#include "launch.cuh"
#include "particles.cuh"

#include <cub/device/device_scan.cuh>

namespace g6::cuda {
namespace {

#define G6_REAL double
#define G6_SQRT(x) sqrt(x)
#define G6_MIN(a, b) fmin(a, b)
#define G6_MAX(a, b) fmax(a, b)
#define G6_INFINITY infinity()
#include "../../libg6gpu/formulas/candidates.h"
#undef G6_REAL
#undef G6_SQRT
#undef G6_MIN
#undef G6_MAX
#undef G6_INFINITY

constexpr int kAtOnce = 4;  // j-particles that share one comparison

struct ListArgs {
    ListRequest r;
    JMemory j;
    Predicted p;
    IMemory i;
};

// Where entries go.  In the first pass: counts and the first slots of each i-particle and slice.
// In the second: entries, from the offsets on.
struct ListOutput {
    int *count, *kept;        // [ni][slices], [ni][slices][kept]
    const long long *offset;  // [ni * slices + 1]
    int *index, *slot;
};

struct Distance {
    double x, y, z;
};

static __device__ __forceinline__ double coordinate(const ListArgs &a, int c, int n)
{
    return a.i.x[static_cast<size_t>(c) * static_cast<size_t>(a.i.capacity) + n];
}

// One coordinate of a point amid the i-particles first ... first + n - 1.
static __device__ __forceinline__ double middle(const ListArgs &a, int c, int first, int n)
{
    return g6_middle(coordinate(a, c, first), coordinate(a, c, first + n / 2),
                     coordinate(a, c, first + n - 1));
}

// The i-particles of a thread.
template <int kI> struct Searchers {
    float x[kI], y[kI], z[kI], limit[kI];
    int number[kI];
    int count[kI];
};

template <bool kFill>
__device__ __noinline__ int add_candidates(const ListArgs &a, const ListOutput &out, int n,
                                           int first, int end, int count)
{
    const size_t place = static_cast<size_t>(n) * a.r.plan.slices + blockIdx.y;
    for (int slot = first; slot < min(first + kAtOnce, end); slot++) {
        const double r2 =
            g6_length2(a.p.x[0][slot] - coordinate(a, 0, n), a.p.x[1][slot] - coordinate(a, 1, n),
                       a.p.x[2][slot] - coordinate(a, 2, n));
        if (!(r2 < a.i.h2[n])) continue;
        const int2 id = identity(a.j, slot);
        if (!id.y || (!a.r.own && id.x == a.i.index[n])) continue;
        if (kFill) {
            out.slot[out.offset[place] + count] = slot;
            out.index[out.offset[place] + count] = id.x;
        } else if (count < a.r.plan.kept) {
            out.kept[place * a.r.plan.kept + count] = slot;
        }
        count++;
    }
    return count;
}

// Searches the slice for the i-particles with a limit of 0 or more.
template <int kI, bool kFill>
__device__ __forceinline__ void search(const ListArgs &a, const ListOutput &out, Searchers<kI> &s,
                                       const double (&centre)[3], int first, int end)
{
    __shared__ float4 stage[kListStage];
    const int lane = static_cast<int>(threadIdx.x);
    for (int base = first; base < end; base += kListStage) {
        __syncthreads();
        for (int k = lane; k < kListStage; k += kListThreads) {
            float x[3] = {G6_FAR_J, G6_FAR_J, G6_FAR_J};
            for (int c = 0; c < 3 && base + k < end; c++)
                x[c] = fmaxf(-G6_FAR_J,
                             fminf(G6_FAR_J, __double2float_rn(a.p.x[c][base + k] - centre[c])));
            stage[k] = make_float4(x[0], x[1], x[2], 0);
        }
        __syncthreads();
#pragma unroll 2
        for (int k = 0; k < kListStage; k += kAtOnce) {
            float least[kI];
#pragma unroll
            for (int e = 0; e < kAtOnce; e++) {
                const float4 j = stage[k + e];
#pragma unroll
                for (int q = 0; q < kI; q++) {
                    const float r2 = g6_length2(j.x - s.x[q], j.y - s.y[q], j.z - s.z[q]);
                    least[q] = e == 0 ? r2 : fminf(least[q], r2);
                }
            }
#pragma unroll
            for (int q = 0; q < kI; q++)
                if (least[q] <= s.limit[q])
                    s.count[q] =
                        add_candidates<kFill>(a, out, s.number[q], base + k, end, s.count[q]);
        }
    }
}

// Copies the entries that the first pass has kept.  False: there are more than these.
__device__ __forceinline__ bool copy_kept(const ListArgs &a, const ListOutput &out, size_t place)
{
    const long long at = out.offset[place];
    const int entries = static_cast<int>(out.offset[place + 1] - at);
    if (entries > a.r.plan.kept) return false;
    for (int k = 0; k < entries; k++) {
        const int slot = out.kept[place * a.r.plan.kept + k];
        out.slot[at + k] = slot;
        out.index[at + k] = a.j.index[slot];
    }
    return true;
}

template <int kI, bool kFill>
__global__ void __launch_bounds__(kListThreads)
    list_kernel(const __grid_constant__ ListArgs a, const __grid_constant__ ListOutput out)
{
    const int slice = static_cast<int>(blockIdx.y), slices = a.r.plan.slices;
    const int first = slice * a.r.plan.length, end = first + min(a.r.nj - first, a.r.plan.length);
    const int first_i = static_cast<int>(blockIdx.x) * kI * kListThreads;
    const int here = min(kI * kListThreads, a.r.ni - first_i);
    const double centre[3] = {middle(a, 0, first_i, here), middle(a, 1, first_i, here),
                              middle(a, 2, first_i, here)};
    Searchers<kI> s;
    bool searches = !kFill;
#pragma unroll
    for (int q = 0; q < kI; q++) {
        const int n = first_i + q * kListThreads + static_cast<int>(threadIdx.x);
        const bool is_there = n < a.r.ni;
        s.number[q] = min(n, a.r.ni - 1);
        const double x = coordinate(a, 0, s.number[q]) - centre[0],
                     y = coordinate(a, 1, s.number[q]) - centre[1],
                     z = coordinate(a, 2, s.number[q]) - centre[2];
        s.x[q] = static_cast<float>(x), s.y[q] = static_cast<float>(y);
        s.z[q] = static_cast<float>(z);
        s.count[q] = 0;
        s.limit[q] = -1;
        if (!is_there) continue;
        const size_t place = static_cast<size_t>(n) * slices + slice;
        if (kFill && copy_kept(a, out, place)) continue;
        searches = true;
        s.limit[q] = g6_candidate_limit(fmax(fabs(x), fmax(fabs(y), fabs(z))), a.i.h2[n]);
    }
    if (kFill && !__syncthreads_or(searches)) return;
    search<kI, kFill>(a, out, s, centre, first, end);
#pragma unroll
    for (int q = 0; q < kI; q++)
        if (!kFill && first_i + q * kListThreads + static_cast<int>(threadIdx.x) < a.r.ni)
            out.count[static_cast<size_t>(s.number[q]) * slices + slice] = s.count[q];
}

template <bool kFill>
void launch_lists(cudaStream_t s, const ListRequest &r, const ListArgs &a, const ListOutput &out)
{
    const dim3 grid(blocks(r.ni, kListThreads * r.plan.per_lane),
                    static_cast<unsigned>(r.plan.slices));
    if (r.plan.per_lane == 1)
        list_kernel<1, kFill><<<grid, kListThreads, 0, s>>>(a, out);
    else
        list_kernel<4, kFill><<<grid, kListThreads, 0, s>>>(a, out);
    check_launch();
}

}  // namespace

void launch_count(cudaStream_t s, const ListRequest &r, const JMemory &j, const Predicted &p,
                  const IMemory &i, int *count, int *kept)
{
    launch_lists<false>(s, r, {r, j, p, i}, {count, kept, nullptr, nullptr, nullptr});
}

void launch_fill(cudaStream_t s, const ListRequest &r, const JMemory &j, const Predicted &p,
                 const IMemory &i, const long long *offset, const int *kept, int *index, int *slot)
{
    launch_lists<true>(s, r, {r, j, p, i}, {nullptr, const_cast<int *>(kept), offset, index, slot});
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
