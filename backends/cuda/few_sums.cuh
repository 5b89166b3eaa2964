// SPDX-License-Identifier: MIT
// How the kernel of few.cu adds up, first the sums of the threads of each thread block, then for
// each i-particle the sums of all thread blocks.  Sums travel from one thread block to another as
// words that carry the number of the request (few.h).
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
    return (w.low_number == number) & (w.high_number == number);
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

// Where the threads of a thread block leave their sums for each other.  In add_threads(), where one
// thread adds each value, 16 threads read the eight values of two i-particles together.  A stride
// of kThreads + 2 puts what they read into different banks.
constexpr int kStride = kThreads + 2;
struct SharedSums {
    double value[kValues * kStride];
    int slot[kThreads];
};

// The indices of j-particles from slot `first` on, each `stride` after the one before.
struct Indices {
    const int *index;
    int first, stride;
    __device__ __forceinline__ int of(const Found &found) const
    {
        return found.slot < 0 ? 0 : index[(found.slot - first) * stride];
    }
};

// Adds the sums of the threads that serve the same i-particle, and passes them on to the thread
// block that collects them.  There are `groups` groups of group_threads threads, and only the first
// `active` threads may have sums.  The loops over i-particles, threads and lanes are not unrolled:
// code that runs once a request waits for its instructions to be fetched.
static __device__ void add_threads(Sums &s, SharedSums &shared, const FewLaunch &a,
                                   int group_threads, int groups, int active, int whole_ni, int ni,
                                   const Indices &indices, unsigned number)
{
    const int tid = static_cast<int>(threadIdx.x), lane = tid % 32, warp = tid / 32;
    const bool in_warp = group_threads < 32;  // several threads of a warp serve the same i-particle
    const int sums = (in_warp ? kWarps : groups) * group_threads;  // in shared memory
    const int place = in_warp ? warp * group_threads + lane : tid;
    __syncthreads();  // the shared memory has other things until here
    if (in_warp && warp * 32 < active) {
#pragma unroll 1
        for (int d = 16; d >= group_threads; d /= 2) {
            for (int c = 0; c < 7; c++) s.value[c] += __shfl_xor_sync(kAllLanes, s.value[c], d);
            merge_lanes(s.found, d, d);
        }
    }
    if (!in_warp || lane < group_threads) {
        for (int c = 0; c < 7; c++) shared.value[c * kStride + place] = s.value[c];
        shared.value[7 * kStride + place] = s.found.r2;
        shared.slot[place] = s.found.slot;
    }
    __syncthreads();
    // Each value of an i-particle is added by `adders` threads of a warp, 4 or 1.
    const int bits = whole_ni * kValues * 4 <= kThreads ? 2 : 0, adders = 1 << bits,
              step = kThreads / kValues >> bits;
    const int c = tid % kValues, part = tid / kValues & (adders - 1);
#pragma unroll 1
    for (int first = 0; first < ni; first += step) {
        const int n = first + (tid / kValues >> bits);
        double sum = 0;
        Found found = nobody();
#pragma unroll 1
        for (int k = n + part * group_threads; n < ni && k < sums; k += adders * group_threads) {
            const double one = shared.value[c * kStride + k];
            sum += one;
            found.add(one, shared.slot[k]);  // a distance if c is 7, and unused otherwise
        }
        for (int d = kValues; d < kValues * adders; d *= 2) {
            sum += __shfl_xor_sync(kAllLanes, sum, d);
            merge_lanes(found, d, d);
        }
        if (n >= ni || part > 0) continue;
        MailWord *to =
            a.memory.partial + (static_cast<int>(blockIdx.x) * ni + n) * kPartialWords + c;
        write_word(to, c < 7 ? sum : found.r2, number);
        if (c == 7) write_word(to + 1, __hiloint2double(indices.of(found), found.slot), number);
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

// Lane k of a warp holds value k % kValues.  Adds the lanes that hold the same value, and gives
// each of these lanes the sum.
static __device__ __forceinline__ Gathered merge_same_values(Gathered g)
{
    for (int d = kValues; d < 32; d *= 2) {
        g.sum += __shfl_xor_sync(kAllLanes, g.sum, d);
        const double r2 = __shfl_xor_sync(kAllLanes, g.found.r2, d);
        const int slot = __shfl_xor_sync(kAllLanes, g.found.slot, d),
                  index = __shfl_xor_sync(kAllLanes, g.index, d);
        g.found.add(r2, slot);
        if (g.found.slot == slot) g.index = index;
    }
    return g;
}

// What the warps of a thread block have collected.
struct SharedGathered {
    double value[kWarps][kValues];
    int slot[kWarps], index[kWarps];
};

// The kCollectors warps from `leader` on add the sums of all thread blocks for i-particle n.  Eight
// lanes read the eight values of one thread block together.  Lane k of warp `leader` gets the sum
// of value k % kValues.
constexpr int kCollectors = kWarps / 2;
static __device__ __forceinline__ Gathered collect(const FewLaunch &a, const FewRequest &r,
                                                   unsigned number, int n, int leader,
                                                   SharedGathered &shared)
{
    constexpr int kInWarp = 32 / kValues, kSides = kCollectors * kInWarp, kWordsAtOnce = 5;
    const int lane = static_cast<int>(threadIdx.x) % 32, c = lane % kValues,
              warp = static_cast<int>(threadIdx.x) / 32,
              side = (warp - leader) * kInWarp + lane / kValues,
              blocks = static_cast<int>(gridDim.x), step = r.ni * kPartialWords;
    const MailWord *const from = a.memory.partial + n * kPartialWords + c;
    Gathered g{0, nobody(), 0};
#pragma unroll 1
    for (int first = side; n < r.ni && first < blocks; first += kWordsAtOnce * kSides) {
        MailWord word[kWordsAtOnce] = {}, id[kWordsAtOnce] = {};
        const auto is_there = [&](int k) { return first + k * kSides < blocks; };
        bool here;
        do {
            here = true;
#pragma unroll
            for (int k = 0; k < kWordsAtOnce; k++) {
                const MailWord *w = from + (first + k * kSides) * step;
                if (is_there(k)) word[k] = read_word(w);
                if (is_there(k) && c == 7) id[k] = read_word(w + 1);
            }
#pragma unroll
            for (int k = 0; k < kWordsAtOnce; k++)
                here &= !is_there(k) |
                        (has_come(word[k], number) & ((c < 7) | has_come(id[k], number)));
        } while (!here);
        // Past the last thread block a value is added that changes nothing: a branch takes longer.
#pragma unroll
        for (int k = 0; k < kWordsAtOnce; k++)
            g.add(is_there(k) ? value_of(word[k])
                  : c < 7     ? 0.0
                              : HUGE_VAL,
                  is_there(k) ? static_cast<int>(id[k].low) : -1, static_cast<int>(id[k].high));
    }
    __syncwarp();
    g = merge_same_values(g);
    if (lane < kValues) shared.value[warp][c] = c < 7 ? g.sum : g.found.r2;
    if (lane == 7) {
        shared.slot[warp] = g.found.slot;
        shared.index[warp] = g.index;
    }
    __syncthreads();
    if (warp != leader) return g;
    g = {0, nobody(), 0};
#pragma unroll
    for (int k = 0; k < kCollectors; k += kInWarp) {
        const int w = leader + k + lane / kValues;
        g.add(shared.value[w][c], shared.slot[w], shared.index[w]);
    }
    return merge_same_values(g);
}

// Sends a value of an i-particle's result to the host.  The first kValues lanes of a warp call it,
// each with a value.
static __device__ __forceinline__ void send_result(MailWord *to, const Gathered &g, int value,
                                                   double unit, unsigned number)
{
    static_assert(kSumsWords == kValues + 1 && offsetof(G6Sums, nn_r2) == 7 * sizeof(double));
    const bool any = unit != 0 && (value < 7 || g.found.slot >= 0);
    write_word(to + value, any ? (value < 7 ? g.sum : g.found.r2) * unit : 0.0, number);
    if (value == 7)
        write_word(to + 8, __hiloint2double(any ? g.index : 0, any ? g.found.slot : -1), number);
}

// Copies the neighbour hits to the host's memory, in the order in which threads found them.
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
