// SPDX-License-Identifier: MIT
// A whole block of few i-particles in one launch: dirty records, prediction, force, adding up.
// Below, a block is a block of threads.
//
// Invariants
//  * Everything from the host comes with the launch as kernel arguments; results go straight to
//    host memory.  Nothing else crosses the bus.
//  * Each block owns a range of slots.  It alone writes the dirty records of these slots, and it
//    alone reads them, so that no block waits for another.
//  * The block that ends last adds the sums of all blocks in their order: equal bits on every run.
//  * All arithmetic is in double.  Latency and reading the j-particles bound the time, not the
//    pairs, as long as doubles are at least a quarter as fast as floats (few_limit()).
//
// Floor: 140 bytes a j-particle; 131072 of them take 4 us at 4.8 TB/s, and a launch and its answer
// over the bus about 6 us.
#include "kernels.h"
#include "launch.cuh"
#include "particles.cuh"

#include <algorithm>

namespace g6::cuda {
namespace {

constexpr int kThreads = 512, kWarps = kThreads / 32;
constexpr int kValues = 8;  // acc, jerk, pot, and the distance squared of the nearest
constexpr int kRecordWords = sizeof(G6JRecord) / 8, kIWords = sizeof(G6IRecord) / 8;

template <int kMost> struct FewArgs {
    FewRequest r;
    JMemory j;
    FewMemory memory;
    int per_block;
    G6IRecord i[kMost];
    G6JRecord records[kMost];
};

struct Sums {
    double value[7];
    Found found;
};

// ---- what one block owns ------------------------------------------------------------------------

// A warp per record, as in scatter_records() of receive.cu.
template <int kMost> static __device__ void write_records(const FewArgs<kMost> &a)
{
    const int lane = threadIdx.x % 32, last = static_cast<int>(gridDim.x) - 1;
    for (int k = threadIdx.x / 32; k < a.r.nrecords; k += kWarps) {
        const int slot = a.records[k].slot;
        if (min(slot / a.per_block, last) != static_cast<int>(blockIdx.x)) continue;
        const double w =
            lane < kRecordWords ? reinterpret_cast<const double *>(&a.records[k])[lane] : 0.0;
        const bool snap = lane >= kSnapField && lane < kSnapField + 3;
        if (lane < kFields && a.j.field[lane])
            a.j.field[lane][slot] = snap && !a.r.use_snap ? 0.0 : w;
        if (lane == kFields) a.j.index[slot] = a.records[k].index;
    }
}

struct PassBodies {  // predicted j-particles of one pass
    double x[3][kThreads], v[3][kThreads], m[kThreads];
    int2 id[kThreads];
};

static __device__ __forceinline__ void put(PassBodies &pass, int k, const PredictedBody &p)
{
    for (int c = 0; c < 3; c++) {
        pass.x[c][k] = p.x[c];
        pass.v[c][k] = p.v[c];
    }
    pass.m[k] = p.m;
    pass.id[k] = p.id;
}

struct Target {                   // an i-particle in device units
    double x[3], v[3], eps2, h2;  // h2 < 0: no list
    int index;
};

static __device__ __forceinline__ Target target(const double *words, const FewRequest &r)
{
    Target i;
    for (int c = 0; c < 3; c++) {
        i.x[c] = position(words[c] * r.scale.length, false);
        i.v[c] = (words[3 + c] - r.scale.common_velocity[c]) * r.scale.velocity;
    }
    i.eps2 = words[6] * r.scale.length * r.scale.length;
    i.h2 = r.lists ? words[7] * r.scale.length * r.scale.length : -1;
    i.index = __double2loint(words[8]);
    return i;
}

// Hits that do not fit are not counted for long: the count tells that there are too many, and must
// not come round to 0.
static __device__ __noinline__ void add_hit(const FewMemory &memory, int i, int slot, int index)
{
    if (*static_cast<volatile unsigned *>(memory.hits) > kMostHits) return;
    const unsigned place = atomicAdd(memory.hits, 1u);
    if (place < kMostHits) memory.hit[place] = {i, slot, index};
}

// Returns the distance squared, for lists.
static __device__ __forceinline__ double add_pair(Sums &s, const PassBodies &pass, int k, int slot,
                                                  const Target &i)
{
    const int2 id = pass.id[k];
    const bool counts = id.y && id.x != i.index;
    const double dx = pass.x[0][k] - i.x[0], dy = pass.x[1][k] - i.x[1], dz = pass.x[2][k] - i.x[2];
    const double r2 = g6_length2(dx, dy, dz), soft = r2 + i.eps2;
    // Slots come in ascending order: the first of equals stays.
    const bool nearer = counts && (r2 < s.found.r2 || s.found.slot < 0);
    s.found.r2 = nearer ? r2 : s.found.r2;
    s.found.slot = nearer ? slot : s.found.slot;
    PairSumsD sums = {s.value[0], s.value[1], s.value[2], s.value[3],
                      s.value[4], s.value[5], s.value[6]};
    const double rinv = counts && soft > G6_COINCIDENT ? inverse_root(soft) : 0.0;
    g6_pair_hermite(&sums, dx, dy, dz, pass.v[0][k] - i.v[0], pass.v[1][k] - i.v[1],
                    pass.v[2][k] - i.v[2], pass.m[k], rinv);
    s.value[0] = sums.ax;
    s.value[1] = sums.ay;
    s.value[2] = sums.az;
    s.value[3] = sums.jx;
    s.value[4] = sums.jy;
    s.value[5] = sums.jz;
    s.value[6] = sums.pot;
    return r2;
}

// ---- adding up ----------------------------------------------------------------------------------

// Where threads, then blocks, leave their sums for each other.
struct SharedSums {
    double value[kValues * kThreads];
    int slot[kThreads];
};

// Adds the block's threads that serve the same i-particle, and leaves the sums for the last block.
template <int kLanes>
static __device__ void add_threads(Sums &s, SharedSums &shared, const FewMemory &memory)
{
    for (int d = 16; d >= kLanes; d /= 2)
        for (int c = 0; c < 7; c++) s.value[c] += __shfl_xor_sync(kAll, s.value[c], d);
    merge_lanes(s.found, 16, kLanes);
    constexpr int kPerWarp = kLanes < 32 ? kLanes : 32, kShared = kWarps * kPerWarp;
    const int lane = threadIdx.x % 32, mine = threadIdx.x / 32 * kPerWarp + lane;
    __syncthreads();
    if (lane < kPerWarp) {
        for (int c = 0; c < 7; c++) shared.value[c * kShared + mine] = s.value[c];
        shared.value[7 * kShared + mine] = s.found.r2;
        shared.slot[mine] = s.found.slot;
    }
    __syncthreads();
    if (threadIdx.x >= kLanes * kValues) return;
    const int n = threadIdx.x / kValues, c = threadIdx.x % kValues;
    double sum = 0;
    Found found = nobody();
    for (int k = n; k < kShared; k += kLanes) {
        const double one = shared.value[c * kShared + k];
        sum += one;
        found.add(one, shared.slot[k]);
    }
    const size_t place = static_cast<size_t>(blockIdx.x) * kLanes;
    memory.partial[place * kValues + threadIdx.x] = c < 7 ? sum : found.r2;
    if (c == 7) memory.nearest[place + static_cast<size_t>(n)] = found.slot;
    __threadfence();
}

// Adds the sums of all blocks, in one block.  The blocks whose sums are added form kGroups groups.
// Each thread adds one value of one i-particle over the blocks of one group.  Then the sums of the
// groups are added in shared memory.
template <int kLanes>
static __device__ void add_blocks(const FewRequest &r, const JMemory &j, const FewMemory &memory,
                                  SharedSums &shared)
{
    constexpr int kWidth = kLanes * kValues, kGroups = kThreads / kWidth;
    const int blocks = static_cast<int>(gridDim.x);
    const int value = threadIdx.x % kWidth, group = threadIdx.x / kWidth, n = value / kValues,
              c = value % kValues;
    double sum = 0;
    Found found = nobody();
    // A thread loads kBatch values before it uses them, so that many loads are in flight.  No
    // branch stands between them: every thread both adds values and looks for the nearest
    // neighbour, and uses one of the two results.
    constexpr int kBatch = 12;
    for (int first = group; first < blocks; first += kBatch * kGroups) {
        double one[kBatch];
        int slot[kBatch];
#pragma unroll
        for (int k = 0; k < kBatch; k++) {
            const int b = min(first + k * kGroups, blocks - 1);
            one[k] = __ldcg(&memory.partial[static_cast<size_t>(b) * kWidth + value]);
            slot[k] = __ldcg(&memory.nearest[b * kLanes + n]);
        }
#pragma unroll
        for (int k = 0; k < kBatch; k++) {
            if (first + k * kGroups >= blocks) break;
            sum += one[k];
            found.add(one[k], slot[k]);
        }
    }
    __syncthreads();
    shared.value[threadIdx.x] = c < 7 ? sum : found.r2;
    shared.slot[threadIdx.x] = found.slot;
    __syncthreads();
    const bool adds = threadIdx.x < kWidth;
    for (int g = 1; adds && g < kGroups; g++) {
        const int from = g * kWidth + value;
        sum += shared.value[from];
        found.add(shared.value[from], shared.slot[from]);
    }
    __syncthreads();
    if (adds) {
        shared.value[value] = c < 7 ? sum : found.r2;
        shared.slot[value] = found.slot;
    }
    __syncthreads();
    double total[7] = {0, 0, 0, 0, 0, 0, 0};
    Found best = nobody();
    const bool mine = static_cast<int>(threadIdx.x) < r.ni;
    if (mine) {
        const int from = static_cast<int>(threadIdx.x) * kValues;
        for (int k = 0; k < 7; k++) total[k] = shared.value[from + k];
        best = {shared.value[from + 7], shared.slot[from + 7]};
    }
    if (!r.jerk) total[3] = total[4] = total[5] = 0;
    if (!r.near) best.slot = -1;
    __syncthreads();
    G6Sums *results = reinterpret_cast<G6Sums *>(shared.value);
    if (mine) write_sums(results[threadIdx.x], total, best, r.scale, j);
    __syncthreads();
    copy_sums(memory.out, results, r.ni);
    __threadfence_system();
}

// The host puts them in order.
static __device__ void send_hits(const FewMemory &memory)
{
    constexpr int kWords = sizeof(Hit) / sizeof(int);
    const unsigned n = *static_cast<volatile unsigned *>(memory.hits);
    const unsigned words = min(n, static_cast<unsigned>(kMostHits)) * kWords;
    for (unsigned k = threadIdx.x; k < words; k += kThreads)
        reinterpret_cast<int *>(memory.hit_out)[k] =
            __ldcg(&reinterpret_cast<const int *>(memory.hit)[k]);
    if (threadIdx.x == 0) *memory.hits_out = n;
    __threadfence_system();
}

// ---- the step -----------------------------------------------------------------------------------

// kLanes threads side by side serve as many i-particles; the rest of the block divides the
// j-particles.
template <int kLanes, int kMost>
__global__ void __launch_bounds__(kThreads, 1) few_kernel(const __grid_constant__ FewArgs<kMost> a)
{
    __shared__ union {
        PassBodies pass;
        SharedSums shared;
    } memory;
    PassBodies &pass = memory.pass;
    __shared__ double words[kMost * kIWords];
    __shared__ bool last;
    const int tid = static_cast<int>(threadIdx.x), nj = a.r.nj;
    write_records(a);
    for (int k = tid; k < a.r.ni * kIWords; k += kThreads)
        words[k] = reinterpret_cast<const double *>(a.i)[k];
    __syncthreads();
    const Target i = target(words + min(tid % kLanes, a.r.ni - 1) * kIWords, a.r);
    const int first = static_cast<int>(blockIdx.x) * a.per_block,
              end = min(nj, first + a.per_block);
    Sums sums{{0, 0, 0, 0, 0, 0, 0}, nobody()};
    for (int base = first; base < end; base += kThreads) {
        const int here = min(kThreads, end - base);
        if (base > first) __syncthreads();
        if (tid < here)
            put(pass, tid, predicted(a.j, base + tid, nj, a.r.t, a.r.motion, a.r.scale, false));
        __syncthreads();
#pragma unroll 2
        for (int k = tid / kLanes; k < here; k += kThreads / kLanes) {
            const double r2 = add_pair(sums, pass, k, base + k, i);
            const int2 id = pass.id[k];
            if (r2 < i.h2 && id.y && (a.r.own_in_lists || id.x != i.index) && tid % kLanes < a.r.ni)
                add_hit(a.memory, tid % kLanes, base + k, id.x);
        }
    }
    if (a.r.lists) __threadfence();  // hits of any thread before the ticket
    add_threads<kLanes>(sums, memory.shared, a.memory);
    __syncthreads();
    if (tid == 0) last = atomicAdd(a.memory.ticket, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    add_blocks<kLanes>(a.r, a.j, a.memory, memory.shared);
    if (a.r.lists) send_hits(a.memory);
    __syncthreads();
    if (tid != 0) return;
    *a.memory.ticket = *a.memory.hits = 0;
    __threadfence_system();
    *a.memory.flag = a.r.sequence;
}

template <int kLanes, int kMost>
void launch(cudaStream_t stream, const FewRequest &r, const G6IRecord *i, const G6JRecord *records,
            const JMemory &j, const FewMemory &memory)
{
    FewArgs<kMost> a;
    a.r = r;
    a.j = j;
    a.memory = memory;
    a.per_block = std::max(1, (r.nj + r.blocks - 1) / r.blocks);
    std::copy_n(i, r.ni, a.i);
    std::copy_n(records, r.nrecords, a.records);
    const int blocks = (r.nj + a.per_block - 1) / a.per_block;
    few_kernel<kLanes, kMost><<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(a);
    check_launch();
}

// The smallest set of arguments that holds all costs least to send.
template <int kLanes>
void launch_lanes(cudaStream_t s, const FewRequest &r, const G6IRecord *i, const G6JRecord *records,
                  const JMemory &j, const FewMemory &memory)
{
    const int most = std::max(r.ni, r.nrecords);
    if (kLanes <= 4 && most <= 4)
        return launch < kLanes, kLanes <= 4 ? 4 : kFewMost > (s, r, i, records, j, memory);
    if (kLanes <= 16 && most <= 16)
        return launch < kLanes, kLanes <= 16 ? 16 : kFewMost > (s, r, i, records, j, memory);
    launch<kLanes, kFewMost>(s, r, i, records, j, memory);
}

}  // namespace

int few_limit(int single_to_double)
{
    return single_to_double <= 4 ? 16 : 1;
}

size_t few_partials(int blocks)
{
    return static_cast<size_t>(blocks) * kFewMost;
}

// The number of lanes decides the order of the sums, so it follows from the block alone.
void launch_few(cudaStream_t s, const FewRequest &r, const G6IRecord *i, const G6JRecord *records,
                const JMemory &j, const FewMemory &memory)
{
    const int n = r.whole_ni;
    if (n == 1) return launch_lanes<1>(s, r, i, records, j, memory);
    if (n <= 4) return launch_lanes<4>(s, r, i, records, j, memory);
    if (n <= 16) return launch_lanes<16>(s, r, i, records, j, memory);
    if (n <= 32) return launch_lanes<32>(s, r, i, records, j, memory);
    return launch_lanes<64>(s, r, i, records, j, memory);
}

}  // namespace g6::cuda
