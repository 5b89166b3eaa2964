// SPDX-License-Identifier: MIT
// The force of slices of j-particles on tiles of i-particles, and the table of kernel shapes.
//
// Words: a j-tile is kTile j-particles, an i-tile is the i-particles of one block of threads, and a
// j-slice is a range of j-tiles.  A batch is the j-tiles that a block copies to shared memory at
// once.
//
// Shape: a block has lanes_i x lanes_j threads.  Each thread has per_thread i-particles.  lanes_j
// threads have the same i-particles, and each of them takes every lanes_j-th j-tile.  The grid is
// i-tiles x j-slices, so that even one i-particle can occupy the whole GPU.
//
// GPUs of compute capability 9.0 compute large blocks in mixed by tensor.cu in place of this file.
//
// Two limits of the hardware bound the rate:
//   issue  A multiprocessor issues 128 instructions a clock, and 64 in double.
//   ports  The register file delivers three different registers to 92 multiply-adds a clock only,
//          and to 53 in double.  When one operand is a constant there are 124.
//
// Rates in 1e9 pairs a second on an H200 at 1.98 GHz:
//                                                 issue  ports       reached
//   mixed Hermite with nearest neighbour            907    787           714
//   double Hermite with nearest neighbour           523    475           415
//   single acc and pot                             2230      -  1870 to 1920
//
// Instructions a pair in the machine code for sm_90, with two i-particles a thread:
//            all  multiply-adds of three different registers
//   mixed   36.4                                          11
//   double    32                                          17
//   single    15                                           -
//
// Instructions a pair of mixed, counted in the formulas:
//   difference 9, velocity 3, r2 3, root 1, nearest 1/2, force 7, jerk 11,
//   reads of shared memory 3 / per_thread
// The hardware's counters agree: in mixed an instruction is issued in 79 % of the cycles.  Most of
// the other cycles are dispatch stalls, and the rest are waits at barriers.
//
// Dispatch stalls come from register banks, the even and the odd registers: the rate follows the
// number of instructions that read two registers of one bank.  In mixed the compiler leaves 13 such
// instructions a pair with 128 registers a thread.  With 168 registers it leaves 9, but only three
// blocks are resident in place of four.  Barriers are half as many when a batch has four j-tiles in
// place of two.  Large blocks in mixed have both, 168 registers and four j-tiles (kRoomy): 691
// beside 672 without them, in one run on one machine.  Double, and acceleration and potential in
// single, are 2 to 7 % slower with both, and have neither.
//
// Variants of mixed that are no faster, in 1e9 pairs a second:
//   differences by double subtraction and conversion           664  (16 conversions a clock)
//   the same in one coordinate                                 710
//   double subtraction, float cut out of its bits       648 to 664
//   four i a thread                                     624 to 684
//   unrolling by 2, 4 or 16                             702 to 720
// Differences from the centres of j-tiles that are compact in space take three operations in place
// of nine; docs/measurements/tried.md says why they do not pay.
//
// Precision: layout.cuh says what a difference of positions loses, and which pairs are added in
// double for that.  A float lane adds kTile terms before it is flushed to double, so rounding of
// the sum stays below that of its terms (2^-23 each, of random sign).  The order of every sum is
// fixed: equal bits on every run.
#include "kernels.h"
#include "launch.cuh"
#include "tile.cuh"

#include <cuda_pipeline.h>

namespace g6::cuda {
namespace {

// ---- one slice --------------------------------------------------------------------------------

template <class L, bool kJerk, bool kNear, int kLanesI, int kLanesJ, int kI>
__global__ void __launch_bounds__(kLanesI *kLanesJ, (kMinBlocks<L, kLanesI * kLanesJ, kI>))
    force_kernel(const __grid_constant__ ForceArgs a)
{
    using Real = typename L::Real;
    // kSpan: words from tile to tile.  Where one warp reads two tiles at once, one word more keeps
    // them in different banks.
    constexpr bool kOneTile = kLanesI >= 32;
    constexpr int kThreads = kLanesI * kLanesJ, kLongBatch = kIsRoomy<L, kThreads, kI> ? 4 : 2,
                  kBatch = kLanesJ > kLongBatch ? kLanesJ : kLongBatch,
                  kSpan = kLanesI < 32 ? kTile + 1 : kTile, kStride = kBatch * kSpan;
    // Where shared memory holds two batches, the next one arrives while this one is added.
    constexpr int kWords = L::kPlanes * kStride, kBuffers = kWords * 32 <= 40960 ? 2 : 1;
    constexpr int kTileBytes = kBuffers * kWords * 16,
                  kSumBytes = kLanesJ > 1 ? 8 * 10 * kThreads : 0;
    __shared__ alignas(16) char memory[kTileBytes > kSumBytes ? kTileBytes : kSumBytes];
    __shared__ int2 ranges[kBuffers][kBatch];
    const auto fetch = [&](int first, int end, int buffer) {
        Word *to = reinterpret_cast<Word *>(memory) + buffer * kWords;
        const int tiles = min(kBatch, end - first);
#pragma unroll
        for (int p = 0; p < L::kPlanes; p++)
            for (int k = threadIdx.x; k < tiles * kTile; k += kThreads)
                __pipeline_memcpy_async(&to[p * kStride + k / kTile * kSpan + k % kTile],
                                        &a.p.plane[p][first * kTile + k], sizeof(Word));
        if (static_cast<int>(threadIdx.x) < tiles)
            __pipeline_memcpy_async(&ranges[buffer][threadIdx.x], &a.p.range[first + threadIdx.x],
                                    sizeof(int2));
        __pipeline_commit();
    };
    const int lane_i = threadIdx.x % kLanesI, lane_j = threadIdx.x / kLanesI;
    const int t0 = first_tile(blockIdx.y, a.tiles, a.slices);
    const int t1 = first_tile(blockIdx.y + 1, a.tiles, a.slices);
    take_turn();
    fetch(t0, t1, 0);
    IParticle<L, kJerk> i[kI];
    int i_number[kI];
    double sum[kI][7];
    NearestTile<float> best[kI];
#pragma unroll
    for (int q = 0; q < kI; q++) {
        // Threads past the end repeat the last i-particle and write nothing.
        const int n =
            min(static_cast<int>(blockIdx.x) * kLanesI * kI + q * kLanesI + lane_i, a.ni - 1);
        const double *x = a.i.x + n;
        const size_t c = static_cast<size_t>(a.i.capacity);
        i_number[q] = n;
        i[q].x = L::position(x[0]);
        i[q].y = L::position(x[c]);
        i[q].z = L::position(x[2 * c]);
        if (kJerk) {
            i[q].vx = static_cast<Real>(x[3 * c]);
            i[q].vy = static_cast<Real>(x[4 * c]);
            i[q].vz = static_cast<Real>(x[5 * c]);
        }
        i[q].eps2 = static_cast<Real>(a.i.eps2[n]);
        i[q].index = a.i.index[n];
        const double far = fmax(fabs(x[0]), fmax(fabs(x[c]), fabs(x[2 * c])));
        i[q].close = sizeof(Real) == 4
                         ? static_cast<float>(g6_close_distance2(far, a.i.eps2[n]) * G6_ROUNDED_UP)
                         : key_of(G6_COINCIDENT);
        best[q] = {__int_as_float(0x7f800000), __int_as_float(0x7f800000), t0};
#pragma unroll
        for (int k = 0; k < 7; k++) sum[q][k] = 0;
    }
    for (int first = t0, buffer = 0; first < t1; first += kBatch) {
        const bool more = first + kBatch < t1;
        if (kBuffers == 2 && more) fetch(first + kBatch, t1, buffer ^ 1);
        __pipeline_wait_prior(kBuffers == 2 && more ? 1 : 0);
        __syncthreads();
        const Word *tile = reinterpret_cast<const Word *>(memory) + buffer * kWords;
        for (int base = first; base < min(first + kBatch, t1); base += kLanesJ) {
            const int t = base + lane_j;
            const unsigned warp = kOneTile ? kAllLanes : __ballot_sync(kAllLanes, t < t1);
            if (t >= t1) continue;
            const int2 range = ranges[buffer][t - first];
            bool check = false;
#pragma unroll
            for (int q = 0; q < kI; q++)
                check = check || (i[q].index >= range.x && i[q].index <= range.y);
            float nearest[kI];
            typename PairSums<Real>::Type s[kI];
            const Word *here = tile + (t - first) * kSpan;
            int own[kI];
            const auto pairs = [&](auto care) {
                tile_pairs<L, kJerk, kNear, decltype(care)::value, kOneTile, kI>(
                    a, here, kStride, t * kTile, i, i_number, own, s, sum, nearest);
            };
            Care care = Care::kNone;
            if (__any_sync(warp, check) &&
                __any_sync(warp, has_empty_slot(range) || may_hold(a, t * kTile, i)))
                care = kOneTile && find_own(a, t * kTile, i, own) ? Care::kOwn : Care::kEachPair;
            if (care == Care::kNone) pairs(Constant<Care::kNone>());
            if (care == Care::kOwn) pairs(Constant<Care::kOwn>());
            if (kNear && a.guard && care != Care::kEachPair) {
                bool close = false;
#pragma unroll
                for (int q = 0; q < kI; q++) close = close || nearest[q] < close_key(i[q]);
                if (__any_sync(warp, close)) care = Care::kEachPair;
            }
            if (care == Care::kEachPair) pairs(Constant<Care::kEachPair>());
#pragma unroll
            for (int q = 0; q < kI; q++) flush_lane<kJerk>(sum[q], s[q]);
            if (kNear) {
#pragma unroll
                for (int q = 0; q < kI; q++) best[q].add(nearest[q], t);
            }
        }
        __syncthreads();
        if (kBuffers == 1 && more) fetch(first + kBatch, t1, 0);
        if (kBuffers == 2) buffer ^= 1;
    }
    // lanes_j partial sums meet in shared memory and are added in order.
    double *meet = reinterpret_cast<double *>(memory);
#pragma unroll
    for (int q = 0; q < kI; q++) {
        if (kLanesJ > 1) {
            __syncthreads();
#pragma unroll
            for (int k = 0; k < 7; k++) meet[k * kThreads + threadIdx.x] = sum[q][k];
            if (kNear) {
                meet[7 * kThreads + threadIdx.x] = best[q].key;
                meet[8 * kThreads + threadIdx.x] = best[q].runner;
                meet[9 * kThreads + threadIdx.x] = best[q].tile;
            }
            __syncthreads();
            if (lane_j == 0) {
                for (int l = 1; l < kLanesJ; l++) {
                    const int other = l * kLanesI + lane_i;
                    for (int k = 0; k < 7; k++) sum[q][k] += meet[k * kThreads + other];
                    if (kNear) {
                        best[q].add(static_cast<float>(meet[7 * kThreads + other]),
                                    static_cast<int>(meet[9 * kThreads + other]));
                        best[q].runner =
                            fminf(best[q].runner, static_cast<float>(meet[8 * kThreads + other]));
                    }
                }
            }
        }
        const int n = static_cast<int>(blockIdx.x) * kLanesI * kI + q * kLanesI + lane_i;
        if (lane_j != 0 || n >= a.ni) continue;
        const size_t place = static_cast<size_t>(n) * a.slices + blockIdx.y;
        const size_t plane = static_cast<size_t>(a.slices) * a.ni;
#pragma unroll
        for (int k = 0; k < 7; k++)
            if (kJerk || k < 3 || k == 6) a.partials.sum[k * plane + place] = sum[q][k];
        if (kNear) {
            a.partials.key[place] = best[q].key;
            a.partials.runner[place] = best[q].runner;
            a.partials.tile[place] = best[q].tile;
        }
    }
}

using ForceKernel = void (*)(ForceArgs);

// The shape table.
//  * For few i-particles, shapes have 32 or 16 lanes for the i-particles, and four or eight tiles
//    are summed at the same time.
//  * For many i-particles, a thread has one, two or four of them, so that a word that it reads from
//    shared memory serves as many pairs.
//  * The shape {32, 1, 2} is a block of one warp, which waits for no other warp at barriers.  This
//    makes it the fastest for some hundred i-particles.
//  * The last shape is that of tensor.cu.
constexpr gpu::LaunchShape kShapes[] = {{32, 4, 1},
                                        {128, 1, 1},
                                        {128, 1, 2},
                                        {128, 1, 4},
                                        {16, 8, 1},
                                        {32, 1, 2},
                                        {128, 1, 1, 0, 0, kTensorTiles}};
constexpr int kShapeCount = sizeof kShapes / sizeof kShapes[0], kOwnShapes = kShapeCount - 1;
static_assert(kShapeCount <= kMaxShapes, "DirectStep::known_resident_ has a place for each");

template <class L, bool kJerk, bool kNear> ForceKernel pick_shape(int number)
{
    static constexpr ForceKernel kernels[kOwnShapes] = {
        force_kernel<L, kJerk, kNear, 32, 4, 1>,  force_kernel<L, kJerk, kNear, 128, 1, 1>,
        force_kernel<L, kJerk, kNear, 128, 1, 2>, force_kernel<L, kJerk, kNear, 128, 1, 4>,
        force_kernel<L, kJerk, kNear, 16, 8, 1>,  force_kernel<L, kJerk, kNear, 32, 1, 2>,
    };
    return kernels[number];
}

template <template <bool> class L, bool kNear> ForceKernel pick(const Request &r)
{
    return r.jerk ? pick_shape<L<true>, true, kNear>(r.shape)
                  : pick_shape<L<false>, false, kNear>(r.shape);
}

// In mixed any block may have close pairs.
ForceKernel kernel_for(const Request &r)
{
    switch (r.arithmetic) {
    case Arithmetic::kSplit: return pick<Split, true>(r);
    case Arithmetic::kFull: return r.tracks() ? pick<Full, true>(r) : pick<Full, false>(r);
    case Arithmetic::kSingle: break;
    }
    return pick_shape<Single, false, false>(r.shape);
}

}  // namespace

const gpu::LaunchShape &shape(int number)
{
    return kShapes[number];
}
int shapes()
{
    return kShapeCount;
}

int resident_blocks(const Request &r)
{
    int blocks = 0;
    const gpu::LaunchShape &s = kShapes[r.shape];
    if (is_on_tensors(s)) return tensor_blocks(r);
    const cudaError_t code =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_for(r), s.lanes(), 0);
    switch (code) {
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidPtx: cudaGetLastError(); return 0;
    default: check(code, "occupancy");
    }
    return blocks;
}

void launch_force(cudaStream_t stream, const Request &r, const ForceArgs &a,
                  const TensorMemory &tensor)
{
    const gpu::LaunchShape &s = kShapes[r.shape];
    const dim3 grid(static_cast<unsigned>(s.i_tiles(r.ni)), static_cast<unsigned>(r.slices));
    if (is_on_tensors(s)) return launch_tensor(stream, r, grid, a, tensor);
    launch_next(kernel_for(r), grid, s.lanes(), stream, a);
}

}  // namespace g6::cuda
