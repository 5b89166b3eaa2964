// SPDX-License-Identifier: MIT
// Around the force: records to device memory, prediction, adding of slices, neighbour lists.
//
// Floors: prediction reads 140 and writes 32 to 56 bytes a particle: 131072 particles take 5 us
// at 4.8 TB/s; the rest is launch latency.
#include "kernels.h"
#include "launch.cuh"
#include "layout.cuh"
#include "particles.cuh"

#include <cub/device/device_scan.cuh>

#include <climits>

namespace g6::cuda {
namespace {

constexpr int kRecordWords = sizeof(G6JRecord) / 8, kPointWords = sizeof(G6JPoint) / 8;
constexpr int kIWords = sizeof(G6IRecord) / 8;
constexpr int kReceive = 128;  // threads of a block that takes in records

// ---- j-particles ------------------------------------------------------------------------------

// A warp per record: 18 words in one coalesced read over the bus.
static __device__ void scatter_records(const double *words, int n, int block, const JMemory &j,
                                       bool use_snap)
{
    const int record = (block * kReceive + static_cast<int>(threadIdx.x)) / 32,
              lane = threadIdx.x % 32;
    if (record >= n) return;
    double w = 0;
    if (lane < kRecordWords) w = words[static_cast<size_t>(record) * kRecordWords + lane];
    const int slot = __shfl_sync(kAll, __double2hiint(w), kFields);
    if (lane < kFields && j.field[lane]) {
        const bool snap = lane >= kSnapField && lane < kSnapField + 3;
        j.field[lane][slot] = snap && !use_snap ? 0.0 : w;
    }
    if (lane == kFields) j.index[slot] = __double2loint(w);
}

// Six points of five words to a warp; everything that a point does not carry becomes zero.
static __device__ void scatter_points(const double *words, int n, int block, const JMemory &j)
{
    const int warp = (block * kReceive + static_cast<int>(threadIdx.x)) / 32,
              lane = threadIdx.x % 32;
    const int member = lane / kPointWords, part = lane % kPointWords, point = warp * 6 + member;
    const bool active = member < 6 && point < n;
    const double w = active ? words[static_cast<size_t>(point) * kPointWords + part] : 0.0;
    const int slot =
        __shfl_sync(kAll, __double2hiint(w), member < 6 ? member * kPointWords + 4 : 0);
    if (!active) return;
    if (part < 3) j.field[part][slot] = w;
    if (part == 3) j.field[kMassField][slot] = w;
    if (part == 4) j.index[slot] = __double2loint(w);
    for (int f = 3 + part; f < kFields; f += kPointWords)
        if (f != kMassField && j.field[f]) j.field[f][slot] = 0;
}

// Whole tiles; slots from nj on, and slots never written, become massless at the origin.
template <class L>
__global__ void predict_kernel(JMemory j, int nj, double t, Motion motion, Scale scale, Predicted p)
{
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    wait_for_previous();
    let_next_start();
    const Mover one = predicted(j, k, nj, t, motion, scale, sizeof(typename L::Real) == 4);
    const int2 id = one.id;
    L::store(p.plane, k, one.x, one.v, one.m);
    for (int c = 0; c < 3; c++) p.x[c][k] = one.x[c];
    // Range of the tile's indices, two warps to a tile; all of int when a slot is empty.
    __shared__ int2 half[8];
    int low = id.y ? id.x : INT_MIN, high = id.y ? id.x : INT_MAX;
    for (int d = 16; d; d /= 2) {
        low = min(low, __shfl_xor_sync(kAll, low, d));
        high = max(high, __shfl_xor_sync(kAll, high, d));
    }
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 == 0) half[warp] = make_int2(low, high);
    __syncthreads();
    if (threadIdx.x % kTile == 0) {
        const int2 a = half[warp], b = half[warp + 1];
        p.range[k / kTile] = make_int2(min(a.x, b.x), max(a.y, b.y));
    }
}

// ---- i-particles ------------------------------------------------------------------------------

static __device__ void load_i(const double *words, int n, int block, const IMemory &i,
                              const Scale &scale, bool single)
{
    __shared__ double w[kReceive * kIWords];
    const int first = block * kReceive, count = min(kReceive, n - first);
    for (int k = threadIdx.x; k < count * kIWords; k += kReceive)
        w[k] = words[static_cast<size_t>(first) * kIWords + k];
    __syncthreads();
    if (static_cast<int>(threadIdx.x) >= count) return;
    const double *r = w + threadIdx.x * kIWords;
    const int k = first + static_cast<int>(threadIdx.x);
    for (int c = 0; c < 3; c++) {
        i.x[static_cast<size_t>(c) * i.capacity + k] = position(r[c] * scale.length, single);
        i.x[static_cast<size_t>(3 + c) * i.capacity + k] = r[3 + c] * scale.velocity;
    }
    i.eps2[k] = r[6] * scale.length * scale.length;
    i.h2[k] = r[7] * scale.length * scale.length;
    i.aold[k] = static_cast<float>(__int_as_float(__double2hiint(r[8])) * scale.mass /
                                   (scale.length * scale.length));
    i.index[k] = __double2loint(r[8]);
}

// Blocks of records, then of points, then of i-particles.
__global__ void __launch_bounds__(kReceive)
    receive_kernel(Arrivals a, int record_blocks, int point_blocks, JMemory j, bool use_snap,
                   IMemory i, Scale scale, bool single)
{
    let_next_start();
    const int block = static_cast<int>(blockIdx.x);
    if (block < record_blocks)
        scatter_records(reinterpret_cast<const double *>(a.records), a.nrecords, block, j,
                        use_snap);
    else if (block < record_blocks + point_blocks)
        scatter_points(reinterpret_cast<const double *>(a.points), a.npoints, block - record_blocks,
                       j);
    else
        load_i(reinterpret_cast<const double *>(a.i), a.ni, block - record_blocks - point_blocks, i,
               scale, single);
}

// ---- adding the slices ------------------------------------------------------------------------

// Distance measures this close may stand in either order; see key_of() in force.cu.
constexpr float kTolerance = 1 + 4e-6f;

struct ReduceArgs {
    int ni, nj, slices;
    bool jerk, near, high_word;  // high_word: keys are the high words of doubles
    Scale scale;
    JMemory j;
    Predicted p;
    IMemory i;
    Partials in;
    G6Sums *out;
    unsigned *ticket;
    volatile unsigned *flag;
    unsigned sequence;
};

static __device__ __forceinline__ float key_limit(float key, bool high_word)
{
    return high_word ? __int_as_float(min(__float_as_int(key) + 2, 0x7ff00000))
                     : key * kTolerance + 1e-30f;
}
static __device__ __forceinline__ bool key_within(float key, float limit, bool high_word)
{
    return high_word ? __float_as_int(key) <= __float_as_int(limit) : key <= limit;
}

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

// What the warps of one i-particle tell each other.
template <int kWarps> struct Meeting {
    float best[kWarps];
    double sum[kWarps][7];
    Found found[kWarps];
};

// Nearest neighbour of i-particle n: in the best tile, and wherever another tile came within the
// tolerance of it.  Each lane looks at every 32 kWarps-th slice.
template <int kWarps>
static __device__ Found nearest(const ReduceArgs &a, int n, int part, Meeting<kWarps> &meet)
{
    const int lane = threadIdx.x % 32, tiles = (a.nj + kTile - 1) / kTile;
    const size_t row = static_cast<size_t>(n) * a.slices;
    float best = __int_as_float(0x7f800000);
#pragma unroll 4
    for (int s = part * 32 + lane; s < a.slices; s += 32 * kWarps)
        best = fminf(best, a.in.key[row + s]);
    for (int k = 16; k; k /= 2) best = fminf(best, __shfl_xor_sync(kAll, best, k));
    if (kWarps > 1) {
        if (lane == 0) meet.best[part] = best;
        __syncthreads();
        for (int w = 0; w < kWarps; w++) best = fminf(best, meet.best[w]);
    }
    const float limit = key_limit(best, a.high_word);
    const size_t c = static_cast<size_t>(a.i.capacity);
    const double xi[3] = {a.i.x[n], a.i.x[c + n], a.i.x[2 * c + n]};
    const int own = a.i.index[n];
    Found found = nobody();
    for (int first = part * 32; first < a.slices; first += 32 * kWarps) {
        // Slices within the limit, one or two in all as a rule, are searched by the whole warp.
        const int mine = min(first + lane, a.slices - 1);
        const bool near =
            first + lane < a.slices && key_within(a.in.key[row + mine], limit, a.high_word);
        for (unsigned left = __ballot_sync(kAll, near); left; left &= left - 1) {
            const int s = first + __ffs(static_cast<int>(left)) - 1, tile = a.in.tile[row + s];
            if (key_within(a.in.runner[row + s], limit, a.high_word))
                search(a, first_tile(s, tiles, a.slices) * kTile,
                       first_tile(s + 1, tiles, a.slices) * kTile, xi, own, found);
            else
                search(a, tile * kTile, (tile + 1) * kTile, xi, own, found);
        }
    }
    add_lanes(found, 16, 1);
    return found;
}

// kWarps warps per i-particle: thread t of them adds slices t, t + 32 kWarps, ...; a fixed tree
// adds the lanes, and warps follow in order.
constexpr int kTogether = 8;  // i-particles of a block, where each has one warp
template <int kWarps> constexpr int kReduce = 32 * (kWarps > 1 ? kWarps : kTogether);
template <int kWarps>
__global__ void __launch_bounds__(kReduce<kWarps>)
    reduce_kernel(const __grid_constant__ ReduceArgs a)
{
    constexpr int kTogether = kWarps > 1 ? 1 : cuda::kTogether;
    __shared__ alignas(16) G6Sums result[kTogether];
    __shared__ Meeting<kWarps> meet;
    const int first = static_cast<int>(blockIdx.x) * kTogether, warp = threadIdx.x / 32,
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
                    sum[c] += a.in.sum[c * plane + static_cast<size_t>(n) * a.slices + s];
#pragma unroll
        for (int c = 0; c < 7; c++)
            for (int k = 16; k; k /= 2) sum[c] += __shfl_xor_sync(kAll, sum[c], k);
        Found found = nobody();
        if (a.near) found = nearest(a, n, part, meet);
        if (kWarps > 1) {
            if (lane == 0) {
                for (int c = 0; c < 7; c++) meet.sum[warp][c] = sum[c];
                meet.found[warp] = found;
            }
            __syncthreads();
            for (int w = 1; threadIdx.x == 0 && w < kWarps; w++) {
                for (int c = 0; c < 7; c++) sum[c] += meet.sum[w][c];
                found.add(meet.found[w].r2, meet.found[w].slot);
            }
        }
        if (lane == 0 && part == 0)
            write_sums(result[kWarps > 1 ? 0 : warp], sum, found, a.scale, a.j);
    }
    __syncthreads();
    copy_sums(a.out + first, result, min(kTogether, a.ni - first));
    if (!a.flag) return;
    // The last block raises the flag, after everybody's results are visible to the host.
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(a.ticket, 1) == gridDim.x - 1) {
        *a.ticket = 0;
        __threadfence_system();
        *a.flag = a.sequence;
    }
}

// ---- neighbour lists --------------------------------------------------------------------------

struct ListArgs {
    ListRequest r;
    JMemory j;
    Predicted p;
    IMemory i;
};

// A warp per (i, slice): bit mask of the 32 slots from k on that belong to the list, for each lane
// alike.
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

__global__ void trap_kernel()
{
    asm("trap;");
}

unsigned blocks(long long threads, int size)
{
    return static_cast<unsigned>((threads + size - 1) / size);
}

// Calls f with a value of the layout type.
template <class F> void with_layout(Arithmetic arithmetic, bool jerk, F &&f)
{
    switch (arithmetic) {
    case Arithmetic::kSplit: return jerk ? f(Split<true>()) : f(Split<false>());
    case Arithmetic::kFull: return jerk ? f(Full<true>()) : f(Full<false>());
    case Arithmetic::kSingle: return f(Single());
    }
}

}  // namespace

void launch_receive(cudaStream_t s, const Arrivals &a, const JMemory &j, bool use_snap,
                    const IMemory &i, const Scale &scale, Arithmetic arithmetic)
{
    const unsigned records = blocks(32LL * a.nrecords, kReceive),
                   points = blocks((a.npoints + 5) / 6 * 32LL, kReceive),
                   all = records + points + blocks(a.ni, kReceive);
    if (all == 0) return;
    receive_kernel<<<all, kReceive, 0, s>>>(a, static_cast<int>(records), static_cast<int>(points),
                                            j, use_snap, i, scale, arithmetic != Arithmetic::kFull);
    check_launch();
}

void launch_predict(cudaStream_t s, const JMemory &j, int nj, double t, Motion motion,
                    const Scale &scale, Arithmetic arithmetic, bool jerk, const Predicted &p)
{
    // Whole tiles: a block of 128 is two of them; the last may be one past the end, for which there
    // is room.
    with_layout(arithmetic, jerk, [&](auto layout) {
        launch_next(predict_kernel<decltype(layout)>, blocks(nj, 128), 128, s, j, nj, t, motion,
                    scale, p);
    });
}

void launch_reduce(cudaStream_t s, const Request &r, const JMemory &j, const Predicted &p,
                   const IMemory &i, const Partials &partials, G6Sums *out, unsigned *ticket,
                   volatile unsigned *flag, unsigned sequence)
{
    const ReduceArgs a{r.ni,    r.nj, r.slices, r.jerk, r.near,   r.arithmetic == Arithmetic::kFull,
                       r.scale, j,    p,        i,      partials, out,
                       ticket,  flag, sequence};
    // Many slices, few i: a block for each; else a warp.
    const unsigned ni = static_cast<unsigned>(r.ni);
    if (r.slices > 160)
        launch_next(reduce_kernel<8>, ni, kReduce<8>, s, a);
    else if (r.slices > 40)
        launch_next(reduce_kernel<4>, ni, kReduce<4>, s, a);
    else
        launch_next(reduce_kernel<1>, blocks(r.ni, kTogether), kReduce<1>, s, a);
}

void launch_count(cudaStream_t s, const ListRequest &r, const JMemory &j, const Predicted &p,
                  const IMemory &i, int *count)
{
    const dim3 grid(blocks(r.ni, 4), static_cast<unsigned>(r.plan.slices));
    list_kernel<false><<<grid, 128, 0, s>>>(ListArgs{r, j, p, i}, count, nullptr, nullptr, nullptr);
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

void launch_trap(cudaStream_t s)
{
    trap_kernel<<<1, 1, 0, s>>>();
    check_launch();
}

void launch_fill(cudaStream_t s, const ListRequest &r, const JMemory &j, const Predicted &p,
                 const IMemory &i, const long long *offset, int *index, int *slot)
{
    const dim3 grid(blocks(r.ni, 4), static_cast<unsigned>(r.plan.slices));
    list_kernel<true><<<grid, 128, 0, s>>>(ListArgs{r, j, p, i}, nullptr, offset, index, slot);
    check_launch();
}

}  // namespace g6::cuda
