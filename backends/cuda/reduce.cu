// SPDX-License-Identifier: MIT
// Adds the slices of a direct sum in an order that is always the same, finds the slot of the
// nearest neighbour in the tile or batch that the force kernel found, and writes results in the
// caller's units.
#include "kernels.h"
#include "launch.cuh"
#include "particles.cuh"

namespace g6::cuda {
namespace {

#define G6_AS_INT(x) __float_as_int(x)
#define G6_AS_FLOAT(x) __int_as_float(x)
#include "../gpu/nearest_key.h"

struct ReduceArgs : ForceArgs {
    int batch;                   // tiles of a batch; 1 where keys are of single tiles
    bool jerk, near, high_word;  // high_word: keys are the high words of doubles
    float doubt;                 // error of a distance, relative to the largest coordinate
    G6Units units;
    G6Sums *out;
    unsigned *ticket;
    volatile unsigned *flag;
    unsigned sequence;
};

// The whole warp searches slots first ... last-1 exactly.
static __device__ void search(const ReduceArgs &a, int first, int last, const double xi[3], int own,
                              Found &found)
{
    for (int k = first + static_cast<int>(threadIdx.x % 32); k < min(last, a.nj); k += 32) {
        const int2 id = identity(a.j, k);
        if (!id.y || id.x == own) continue;
        found.add(g6_length2(a.p.x[0][k] - xi[0], a.p.x[1][k] - xi[1], a.p.x[2][k] - xi[2]), k);
    }
}

// Results that the warps of one i-particle exchange.
template <int kWarps> struct WarpResults {
    float best[kWarps];
    double sum[kWarps][7];
    Found found[kWarps];
};

// Nearest neighbour of i-particle n.  The smallest key of all slices gives a limit, which allows
// for the errors of keys.  Of each slice with a key within the limit the best tile is searched, or
// the whole slice where its second best tile is within the limit, too.  Each lane looks at every
// 32 kWarps-th slice.
template <int kWarps>
static __device__ Found nearest(const ReduceArgs &a, int n, int part, WarpResults<kWarps> &shared)
{
    // A slice has whole units of a.batch tiles.
    const int lane = threadIdx.x % 32, unit = a.batch * kTile, units = (a.nj + unit - 1) / unit;
    const size_t place = static_cast<size_t>(n) * a.slices;  // of slice 0
    float best = __int_as_float(0x7f800000);
#pragma unroll 4
    for (int s = part * 32 + lane; s < a.slices; s += 32 * kWarps)
        best = fminf(best, a.partials.key[place + s]);
    for (int k = 16; k; k /= 2) best = fminf(best, __shfl_xor_sync(kAllLanes, best, k));
    if (kWarps > 1) {
        if (lane == 0) shared.best[part] = best;
        __syncthreads();
        for (int w = 0; w < kWarps; w++) best = fminf(best, shared.best[w]);
    }
    const size_t c = static_cast<size_t>(a.i.capacity);
    const double xi[3] = {a.i.x[n], a.i.x[c + n], a.i.x[2 * c + n]};
    const double far = fmax(fabs(xi[0]), fmax(fabs(xi[1]), fabs(xi[2])));
    const float limit = key_limit(best, a.high_word, a.doubt * static_cast<float>(far));
    const int own = a.i.index[n];
    Found found = nobody();
    for (int first = part * 32; first < a.slices; first += 32 * kWarps) {
        // Slices within the limit, one or two in all as a rule, are searched by the whole warp.
        const int mine = min(first + lane, a.slices - 1);
        const bool near =
            first + lane < a.slices && key_within(a.partials.key[place + mine], limit, a.high_word);
        for (unsigned left = __ballot_sync(kAllLanes, near); left; left &= left - 1) {
            const int s = first + __ffs(static_cast<int>(left)) - 1,
                      tile = a.partials.tile[place + s];
            if (key_within(a.partials.runner[place + s], limit, a.high_word))
                search(a, first_tile(s, units, a.slices) * unit,
                       first_tile(s + 1, units, a.slices) * unit, xi, own, found);
            else
                search(a, tile * kTile, tile * kTile + unit, xi, own, found);
        }
    }
    merge_lanes(found, 16, 1);
    return found;
}

// kWarps warps serve an i-particle.  Thread t of them adds slices t, t + 32 kWarps, ...  Then each
// warp adds its lanes pairwise, as a binary tree, and one thread adds the warps in their order.
template <int kWarps> constexpr int kIPerBlock = kWarps > 1 ? 1 : 8;
template <int kWarps> constexpr int kReduce = 32 * kWarps *kIPerBlock<kWarps>;
template <int kWarps>
__global__ void __launch_bounds__(kReduce<kWarps>)
    reduce_kernel(const __grid_constant__ ReduceArgs a)
{
    __shared__ alignas(16) G6Sums result[kIPerBlock<kWarps>];
    __shared__ WarpResults<kWarps> shared;
    const int first = static_cast<int>(blockIdx.x) * kIPerBlock<kWarps>, warp = threadIdx.x / 32,
              lane = threadIdx.x % 32;
    wait_for_previous();
    const int n = kWarps > 1 ? first : first + warp, part = kWarps > 1 ? warp : 0;
    if (n < a.ni) {
        double sum[7] = {0, 0, 0, 0, 0, 0, 0};
        const size_t plane = static_cast<size_t>(a.slices) * a.ni;
#pragma unroll 4
        for (int s = part * 32 + lane; s < a.slices; s += 32 * kWarps)
#pragma unroll
            for (int c = 0; c < 7; c++)
                if (a.jerk || c < 3 || c == 6)
                    sum[c] += a.partials.sum[c * plane + static_cast<size_t>(n) * a.slices + s];
#pragma unroll
        for (int c = 0; c < 7; c++)
            for (int k = 16; k; k /= 2) sum[c] += __shfl_xor_sync(kAllLanes, sum[c], k);
        Found found = nobody();
        if (a.near) found = nearest(a, n, part, shared);
        if (kWarps > 1) {
            if (lane == 0) {
                for (int c = 0; c < 7; c++) shared.sum[warp][c] = sum[c];
                shared.found[warp] = found;
            }
            __syncthreads();
            for (int w = 1; threadIdx.x == 0 && w < kWarps; w++) {
                for (int c = 0; c < 7; c++) sum[c] += shared.sum[w][c];
                found.add(shared.found[w].r2, shared.found[w].slot);
            }
        }
        if (lane == 0 && part == 0)
            write_sums(result[kWarps > 1 ? 0 : warp], sum, found, a.units, a.j);
    }
    __syncthreads();
    copy_sums(a.out + first, result, min(kIPerBlock<kWarps>, a.ni - first));
    if (!a.flag) return;
    // The last block sets the flag when the host can see the results of all blocks: after the
    // barrier a block's first thread sees the block's results, and its fence shows them to all.
    __syncthreads();
    if (threadIdx.x > 0) return;
    __threadfence_system();
    if (atomicAdd(a.ticket, 1) == gridDim.x - 1) {
        *a.ticket = 0;
        __threadfence_system();
        *a.flag = a.sequence;
    }
}

}  // namespace

void launch_reduce(cudaStream_t s, const Request &r, const ForceArgs &args, G6Sums *out,
                   unsigned *ticket, volatile unsigned *flag, unsigned sequence)
{
    const gpu::LaunchShape &chosen = shape(r.shape);
    // Distances of tensor.cu and of double have relative errors only.
    const bool is_full = r.arithmetic == Arithmetic::kFull;
    const float doubt = is_full || is_on_tensors(chosen) ? 0.0f : G6_SPLIT_DOUBT;
    const ReduceArgs a{args, chosen.unit, r.jerk, r.near,  is_full, doubt, units_of(r.scale),
                       out,  ticket,      flag,   sequence};
    // Several warps for an i-particle add many slices faster, as long as the device has warps to
    // spare.  whole_ni decides, so that any number of devices gives the same bits.
    const unsigned ni = static_cast<unsigned>(r.ni);
    if (r.slices > 160 && r.whole_ni < 768)
        launch_next(reduce_kernel<8>, ni, kReduce<8>, s, a);
    else if (r.slices > 40 && r.whole_ni < 2048)
        launch_next(reduce_kernel<4>, ni, kReduce<4>, s, a);
    else
        launch_next(reduce_kernel<1>, blocks(r.ni, kIPerBlock<1>), kReduce<1>, s, a);
}

}  // namespace g6::cuda
