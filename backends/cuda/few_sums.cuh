// SPDX-License-Identifier: MIT
// What the kernel of few.cu sums: the pairs of a block of threads, the sums of its threads, and the
// sums of all blocks for one i-particle.  The last of these travel from block to block as words
// that carry the number of the request (few.h).
#pragma once

#include "few.h"
#include "particles.cuh"

namespace g6::cuda {
namespace few {

constexpr int kThreads = 512, kWarps = kThreads / 32;
constexpr int kValues = 8;  // acc, jerk, pot, and the distance squared of the nearest

struct Sums {
    double value[7];
    Found found;
};

// ---- pairs --------------------------------------------------------------------------------------

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
        i.x[c] = words[c] * r.scale.length;
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

// ---- words that carry their number --------------------------------------------------------------

static __device__ __forceinline__ MailWord read_word(const MailWord *from)
{
    MailWord w;
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w.low), "=r"(w.low_number), "=r"(w.high), "=r"(w.high_number)
                 : "l"(from)
                 : "memory");
    return w;
}
static __device__ __forceinline__ bool has_come(const MailWord &w, unsigned number)
{
    return w.low_number == number && w.high_number == number;
}
static __device__ __forceinline__ double value_of(const MailWord &w)
{
    return __hiloint2double(static_cast<int>(w.high), static_cast<int>(w.low));
}
static __device__ __forceinline__ void write_word(MailWord *to, double value, unsigned number)
{
    asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to),
                 "r"(__double2loint(value)), "r"(number), "r"(__double2hiint(value)), "r"(number)
                 : "memory");
}

// ---- adding up ----------------------------------------------------------------------------------

// Where the threads of a block leave their sums for each other.
struct SharedSums {
    double value[kValues * kThreads];
    int slot[kThreads];
};

// Adds the block's threads that serve the same i-particle, and passes the sums on to the block that
// collects them.  active: threads that have sums, which are the first ones.
template <int kLanes>
static __device__ void add_threads(Sums &s, SharedSums &shared, const FewLaunch &a, int active,
                                   int ni, unsigned number)
{
    constexpr int kPerWarp = kLanes < 32 ? kLanes : 32, kShared = kWarps * kPerWarp;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, mine = warp * kPerWarp + lane;
    __syncthreads();  // the shared memory has other things until here
    if (warp * 32 < active) {
        for (int d = 16; d >= kLanes; d /= 2)
            for (int c = 0; c < 7; c++) s.value[c] += __shfl_xor_sync(kAll, s.value[c], d);
        merge_lanes(s.found, 16, kLanes);
    }
    if (lane < kPerWarp) {
        for (int c = 0; c < 7; c++) shared.value[c * kShared + mine] = s.value[c];
        shared.value[7 * kShared + mine] = s.found.r2;
        shared.slot[mine] = s.found.slot;
    }
    __syncthreads();
    const int n = static_cast<int>(threadIdx.x) / kValues,
              c = static_cast<int>(threadIdx.x) % kValues;
    if (n >= ni) return;
    double sum = 0;
    Found found = nobody();
#pragma unroll
    for (int k = 0; k < kShared / kLanes; k++) {
        const double one = shared.value[c * kShared + k * kLanes + n];
        sum += one;
        found.add(one, shared.slot[k * kLanes + n]);
    }
    MailWord *to =
        a.memory.partial +
        (static_cast<size_t>(blockIdx.x) * static_cast<size_t>(ni) + static_cast<size_t>(n)) *
            kPartialWords +
        c;
    write_word(to, c < 7 ? sum : found.r2, number);
    if (c < 7) return;
    const int index = found.slot < 0 ? 0 : a.j.index[found.slot];
    write_word(to + 1, __hiloint2double(index, found.slot), number);
}

// What one lane has collected of one of the kValues values of an i-particle.
struct Gathered {
    double sum;
    Found found;
    int index;
    __device__ __forceinline__ void add(double value, int slot, int other)
    {
        sum += value;
        found.add(value, slot);
        if (found.slot == slot) index = other;
    }
};

// The lanes of a warp have kValues values side by side.  All lanes with the same value get the sum
// of theirs.
static __device__ __forceinline__ void merge_sides(Gathered &g)
{
    for (int d = kValues; d < 32; d *= 2) {
        g.sum += __shfl_xor_sync(kAll, g.sum, d);
        const double r2 = __shfl_xor_sync(kAll, g.found.r2, d);
        const int slot = __shfl_xor_sync(kAll, g.found.slot, d),
                  index = __shfl_xor_sync(kAll, g.index, d);
        g.found.add(r2, slot);
        if (g.found.slot == slot) g.index = index;
    }
}

// What the warps of a block have collected for one i-particle.
struct SharedGathered {
    double value[kWarps][kValues];
    int slot[kWarps], index[kWarps];
    G6Sums result;
};

// Adds the sums of all blocks for one i-particle.  4 kWarps groups of 8 lanes each read one block
// after another.
static __device__ void collect(const FewLaunch &a, const FewRequest &r, unsigned number, int n,
                               SharedGathered &shared)
{
    constexpr int kSides = kThreads / kValues, kBatch = 3;
    const int tid = static_cast<int>(threadIdx.x), c = tid % kValues, warp = tid / 32,
              blocks = static_cast<int>(gridDim.x), step = r.ni * kPartialWords;
    const MailWord *from = a.memory.partial + n * kPartialWords + c;
    Gathered g{0, nobody(), 0};
    for (int first = tid / kValues; first < blocks; first += kBatch * kSides) {
        MailWord word[kBatch], id[kBatch];
        bool here;
        do {
            here = true;
#pragma unroll
            for (int k = 0; k < kBatch; k++) {
                const MailWord *w =
                    from + static_cast<size_t>(min(first + k * kSides, blocks - 1)) * step;
                word[k] = read_word(w);
                id[k] = c < 7 ? word[k] : read_word(w + 1);
            }
#pragma unroll
            for (int k = 0; k < kBatch; k++)
                here = here && has_come(word[k], number) && has_come(id[k], number);
        } while (!here);
#pragma unroll
        for (int k = 0; k < kBatch; k++) {
            if (first + k * kSides >= blocks) break;
            g.add(value_of(word[k]), static_cast<int>(id[k].low), static_cast<int>(id[k].high));
        }
    }
    __syncwarp();
    merge_sides(g);
    if (tid % 32 < kValues) shared.value[warp][c] = c < 7 ? g.sum : g.found.r2;
    if (tid % 32 == 7) {
        shared.slot[warp] = g.found.slot;
        shared.index[warp] = g.index;
    }
    __syncthreads();
    if (warp > 0) return;
    g = {0, nobody(), 0};
    for (int w = tid / kValues; w < kWarps; w += 32 / kValues)
        g.add(shared.value[w][c], shared.slot[w], shared.index[w]);
    merge_sides(g);
    double total[7];
    for (int k = 0; k < 7; k++) total[k] = __shfl_sync(kAll, g.sum, k);
    g.found.r2 = __shfl_sync(kAll, g.found.r2, 7);
    g.found.slot = r.near ? __shfl_sync(kAll, g.found.slot, 7) : -1;
    g.index = __shfl_sync(kAll, g.index, 7);
    if (!r.jerk) total[3] = total[4] = total[5] = 0;
    if (tid == 0) write_sums(shared.result, total, g.found, r.scale, g.index);
    __syncwarp();
}

// The host puts them in order.
static __device__ void send_hits(const FewMemory &memory)
{
    constexpr int kWords = sizeof(Hit) / sizeof(int);
    __threadfence();  // the hits that came before the sums of their blocks
    const unsigned n = *static_cast<volatile unsigned *>(memory.hits);
    const unsigned words = min(n, static_cast<unsigned>(kMostHits)) * kWords;
    for (unsigned k = threadIdx.x; k < words; k += kThreads)
        reinterpret_cast<int *>(memory.hit_out)[k] =
            __ldcg(&reinterpret_cast<const int *>(memory.hit)[k]);
    __syncthreads();
    if (threadIdx.x == 0) {
        *memory.hits_out = n;
        *memory.hits = 0;
    }
    __threadfence_system();
    __syncthreads();
}

}  // namespace few
}  // namespace g6::cuda
