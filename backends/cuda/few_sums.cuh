// SPDX-License-Identifier: MIT
// How the kernel of few.cu adds up: the sums of the threads of a thread block, and those of all
// thread blocks for one i-particle.  The latter travel from one thread block to another as words
// that carry the number of the request (few.h).
#pragma once

#include "few_pairs.cuh"

namespace g6::cuda {
namespace few {

constexpr int kValues = 8;  // acc, jerk, pot, and the distance squared of the nearest

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

// Where the threads of a thread block leave their sums for each other.
struct SharedSums {
    double value[kValues * kThreads];
    int slot[kThreads];
};

// Adds the sums of the threads that serve the same i-particle, and passes them on to the thread
// block that collects them.  active: threads that have sums, which are the first ones.
template <int kLanes>
static __device__ void add_threads(Sums &s, SharedSums &shared, const FewLaunch &a, int active,
                                   int ni, unsigned number)
{
    constexpr int kPerWarp = kLanes < 32 ? kLanes : 32, kShared = kWarps * kPerWarp;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, mine = warp * kPerWarp + lane;
    __syncthreads();  // the shared memory has other things until here
    if (warp * 32 < active) {
        for (int d = 16; d >= kLanes; d /= 2)
            for (int c = 0; c < 7; c++) s.value[c] += __shfl_xor_sync(kAllLanes, s.value[c], d);
        merge_lanes(s.found, 16, kLanes);
    }
    if (lane < kPerWarp) {
        for (int c = 0; c < 7; c++) shared.value[c * kShared + mine] = s.value[c];
        shared.value[7 * kShared + mine] = s.found.r2;
        shared.slot[mine] = s.found.slot;
    }
    __syncthreads();
    const int c = static_cast<int>(threadIdx.x) % kValues;
    for (int n = static_cast<int>(threadIdx.x) / kValues; n < ni; n += kThreads / kValues) {
        double sum = 0;
        Found found = nobody();
#pragma unroll
        for (int k = 0; k < kShared / kLanes; k++) {
            const double one = shared.value[c * kShared + k * kLanes + n];
            sum += one;
            found.add(one, shared.slot[k * kLanes + n]);
        }
        MailWord *to =
            a.memory.partial + (static_cast<size_t>(blockIdx.x) * ni + n) * kPartialWords + c;
        write_word(to, c < 7 ? sum : found.r2, number);
        if (c < 7) continue;
        const int index = found.slot < 0 ? 0 : a.j.index[found.slot];
        write_word(to + 1, __hiloint2double(index, found.slot), number);
    }
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

// Lane k of a warp holds value k % kValues.  Adds the lanes that hold the same value; each of them
// gets the sum.
static __device__ __forceinline__ void merge_same_values(Gathered &g)
{
    for (int d = kValues; d < 32; d *= 2) {
        g.sum += __shfl_xor_sync(kAllLanes, g.sum, d);
        const double r2 = __shfl_xor_sync(kAllLanes, g.found.r2, d);
        const int slot = __shfl_xor_sync(kAllLanes, g.found.slot, d),
                  index = __shfl_xor_sync(kAllLanes, g.index, d);
        g.found.add(r2, slot);
        if (g.found.slot == slot) g.index = index;
    }
}

// What the warps of a thread block have collected for one i-particle.
struct SharedGathered {
    double value[kWarps][kValues];
    int slot[kWarps], index[kWarps];
    G6Sums result;
};

// Adds the sums of all thread blocks for one i-particle.  Of kSides groups of 8 lanes, group g
// reads those of thread blocks g, g + kSides, g + 2 kSides ...
static __device__ void collect(const FewLaunch &a, const FewRequest &r, unsigned number, int n,
                               SharedGathered &shared)
{
    constexpr int kSides = kThreads / kValues, kWordsAtOnce = 3;
    const int tid = static_cast<int>(threadIdx.x), c = tid % kValues, warp = tid / 32,
              blocks = static_cast<int>(gridDim.x), step = r.ni * kPartialWords;
    const MailWord *from = a.memory.partial + n * kPartialWords + c;
    Gathered g{0, nobody(), 0};
    for (int first = tid / kValues; first < blocks; first += kWordsAtOnce * kSides) {
        MailWord word[kWordsAtOnce], id[kWordsAtOnce];
        bool here;
        do {
            here = true;
#pragma unroll
            for (int k = 0; k < kWordsAtOnce; k++) {
                const MailWord *w =
                    from + static_cast<size_t>(min(first + k * kSides, blocks - 1)) * step;
                word[k] = read_word(w);
                id[k] = c < 7 ? word[k] : read_word(w + 1);
            }
#pragma unroll
            for (int k = 0; k < kWordsAtOnce; k++)
                here = here && has_come(word[k], number) && has_come(id[k], number);
        } while (!here);
#pragma unroll
        for (int k = 0; k < kWordsAtOnce; k++) {
            if (first + k * kSides >= blocks) break;
            g.add(value_of(word[k]), static_cast<int>(id[k].low), static_cast<int>(id[k].high));
        }
    }
    __syncwarp();
    merge_same_values(g);
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
    merge_same_values(g);
    double total[7];
    for (int k = 0; k < 7; k++) total[k] = __shfl_sync(kAllLanes, g.sum, k);
    g.found.r2 = __shfl_sync(kAllLanes, g.found.r2, 7);
    g.found.slot = r.near ? __shfl_sync(kAllLanes, g.found.slot, 7) : -1;
    g.index = __shfl_sync(kAllLanes, g.index, 7);
    if (!r.jerk) total[3] = total[4] = total[5] = 0;
    if (tid == 0) write_sums(shared.result, total, g.found, r.scale, g.index);
    __syncwarp();
}

// The host puts them in order.
static __device__ void send_hits(const FewMemory &memory)
{
    constexpr int kWords = sizeof(Hit) / sizeof(int);
    __threadfence();  // the hits that came before the sums of their thread blocks
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
