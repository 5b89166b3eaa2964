// SPDX-License-Identifier: MIT
// The kernel of few.h: dirty records, prediction, force and adding up of one block of few i-particles
// after another.  Below, a block is a block of threads.
//
// Invariants
//  * Block 0 polls the mailbox, which is in host memory, and passes the request on in device memory,
//    where the other blocks poll.  Results go straight to host memory.  Nothing else crosses the bus.
//  * Each block owns a range of slots.  It alone writes the dirty records of these slots, and it
//    alone reads them, so that no block waits for another.
//  * For each i-particle one block collects the sums of all blocks, and adds them in a fixed order:
//    equal bits on every run.
//  * What blocks and the host tell each other travels in words that carry the number of the request.
//    So it takes no fence, no counter and no flag.
//  * What another block or the host has written since the kernel began is read past the first-level
//    cache.
//  * All arithmetic is in double.  Latency and reading the j-particles bound the time, not the
//    pairs, as long as doubles are at least a quarter as fast as floats (is_few()).
//
// Floor: 140 bytes a j-particle; 131072 of them take 4 us at 4.8 TB/s.  A request and its answer over
// the bus take 4 to 5 us.
#include "few.h"
#include "launch.cuh"
#include "particles.cuh"

#include <algorithm>

namespace g6::cuda {
namespace {

constexpr int kThreads = 512, kWarps = kThreads / 32;
constexpr int kValues = 8;  // acc, jerk, pot, and the distance squared of the nearest
// Without a request for so long the kernel leaves, and so it does after its longest stay, which gives
// others a turn and keeps the watchdog of a GPU with a display calm.
constexpr unsigned long long kIdle = 100000, kLongestStay = 500000000;  // ns

struct Sums {
    double value[7];
    Found found;
};

// ---- what one block owns ------------------------------------------------------------------------

// A warp per record, as in scatter_records() of receive.cu.
static __device__ void write_records(const FewLaunch &a, const double *records, int n)
{
    const int lane = threadIdx.x % 32, last = static_cast<int>(gridDim.x) - 1;
    for (int k = threadIdx.x / 32; k < n; k += kWarps) {
        const double *record = records + k * kRecordWords;
        const double identity = record[kFields];
        const int slot = __double2hiint(identity);
        if (min(slot / a.per_block, last) != static_cast<int>(blockIdx.x)) continue;
        const bool snap = lane >= kSnapField && lane < kSnapField + 3;
        if (lane < kFields && a.j.field[lane])
            a.j.field[lane][slot] = snap && !a.use_snap ? 0.0 : record[lane];
        if (lane == kFields) a.j.index[slot] = __double2loint(identity);
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

// The lanes of a warp have kValues values side by side.  All lanes with the same value get the sum of
// theirs.
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

// ---- the step -----------------------------------------------------------------------------------

// What the threads of a block share.
struct Shared {
    FewRequest request;
    double i[kFewMost * kIWords];
    SharedGathered gathered;
    union {
        double records[kFewMost * kRecordWords];
        PassBodies pass;
        SharedSums sums;
    };
};

// Blocks collect the sums of i-particles in turns, and send them to the host.  Block 0 has the first
// one, whose result tells the host that the lists are there, too.
static __device__ void answer(const FewLaunch &a, Shared &shared, unsigned number)
{
    const FewRequest &r = shared.request;
    const int tid = static_cast<int>(threadIdx.x);
    for (int n = static_cast<int>(blockIdx.x); n < r.ni; n += static_cast<int>(gridDim.x)) {
        collect(a, r, number, n, shared.gathered);
        if (r.lists && n == 0) {
            __syncthreads();
            send_hits(a.memory);
        }
        if (tid < kSumsWords)
            write_word(a.memory.answer + n * kSumsWords + tid,
                       reinterpret_cast<const double *>(&shared.gathered.result)[tid], number);
        __syncthreads();
    }
}

// kLanes threads side by side serve as many i-particles; the rest of the block divides the
// j-particles.
template <int kLanes>
static __device__ void sum_block(const FewLaunch &a, Shared &shared, unsigned number)
{
    const FewRequest &r = shared.request;
    PassBodies &pass = shared.pass;
    const int tid = static_cast<int>(threadIdx.x);
    const auto motion = static_cast<Motion>(r.motion);
    const Target i = target(shared.i + min(tid % kLanes, r.ni - 1) * kIWords, r);
    const int first = static_cast<int>(blockIdx.x) * a.per_block,
              end = min(a.nj, first + a.per_block);
    Sums sums{{0, 0, 0, 0, 0, 0, 0}, nobody()};
    for (int base = first; base < end; base += kThreads) {
        const int here = min(kThreads, end - base);
        if (base > first) __syncthreads();
        if (tid < here)
            put(pass, tid, predicted(a.j, base + tid, a.nj, r.t, motion, r.scale, false));
        __syncthreads();
#pragma unroll 2
        for (int k = tid / kLanes; k < here; k += kThreads / kLanes) {
            const double r2 = add_pair(sums, pass, k, base + k, i);
            const int2 id = pass.id[k];
            if (r2 < i.h2 && id.y && (r.own_in_lists || id.x != i.index) && tid % kLanes < r.ni)
                add_hit(a.memory, tid % kLanes, base + k, id.x);
        }
    }
    if (r.lists) __threadfence();  // hits of any thread before the sums of the block
    const int active = min(kThreads, kLanes * max(0, end - first));
    add_threads<kLanes>(sums, shared.sums, a, active, r.ni, number);
}

static __device__ void sum_block(const FewLaunch &a, Shared &shared, unsigned number)
{
    switch (shared.request.lanes) {
    case 1: return sum_block<1>(a, shared, number);
    case 4: return sum_block<4>(a, shared, number);
    case 16: return sum_block<16>(a, shared, number);
    case 32: return sum_block<32>(a, shared, number);
    default: return sum_block<64>(a, shared, number);
    }
}

// ---- requests -----------------------------------------------------------------------------------

static __device__ __forceinline__ unsigned long long now()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}

// Waits for the request of this number, by one warp.  Returns false if it has not come by the time
// `until`.
static __device__ bool await(const MailWord *mail, unsigned number, unsigned long long until,
                             FewRequest &request)
{
    constexpr int kPerLane = (kMailWords + 31) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    MailWord word[kPerLane];
    for (bool late = false;; late = until != 0 && now() > until) {
        bool here = true;
#pragma unroll
        for (int k = 0; k < kPerLane; k++)
            word[k] = read_word(mail + min(32 * k + lane, kMailWords - 1));
#pragma unroll
        for (int k = 0; k < kPerLane; k++) here = here && has_come(word[k], number);
        if (__all_sync(kAll, here)) break;
        if (__any_sync(kAll, late)) return false;
    }
#pragma unroll
    for (int k = 0; k < kPerLane; k++)
        if (32 * k + lane < kMailWords)
            reinterpret_cast<double *>(&request)[32 * k + lane] = value_of(word[k]);
    return true;
}

static __device__ __forceinline__ double read_host(const double *from)
{
    return *static_cast<const volatile double *>(from);
}

// The request's i-particles and records, to shared memory: block 0 reads those that the request does
// not carry in host memory, and passes them on to the other blocks.
static __device__ void fetch_particles(const FewLaunch &a, Shared &shared, unsigned number)
{
    const FewRequest &r = shared.request;
    constexpr int kMost = (kFewMost * (kIWords + kRecordWords) + kThreads - 1) / kThreads;
    const int tid = static_cast<int>(threadIdx.x), of_i = r.ni * kIWords,
              words = of_i + r.nrecords * kRecordWords;
    const auto place = [&](double *i, double *record, int k) {
        return k < of_i ? i + k : record + (k - of_i);
    };
    if (r.carries_all) {
        if (tid < words)
            *place(shared.i, shared.records, tid) = r.few[tid < of_i ? tid : kIWords + tid - of_i];
        return;
    }
    double value[kMost];
    if (blockIdx.x == 0) {
        // All reads are in flight before the first has come.  None is made in vain: the bus takes
        // reads of one address in turns.
#pragma unroll
        for (int q = 0; q < kMost; q++) {
            const int k = tid + q * kThreads;
            if (k < words) value[q] = read_host(k < of_i ? r.i + k : r.records + (k - of_i));
        }
#pragma unroll
        for (int q = 0; q < kMost; q++) {
            const int k = tid + q * kThreads;
            if (k < words) write_word(a.memory.particles + k, value[q], number);
        }
    } else {
#pragma unroll
        for (int q = 0; q < kMost; q++) {
            const int k = tid + q * kThreads;
            if (k >= words) break;
            MailWord word;
            do word = read_word(a.memory.particles + k);
            while (!has_come(word, number));
            value[q] = value_of(word);
        }
    }
#pragma unroll
    for (int q = 0; q < kMost; q++) {
        const int k = tid + q * kThreads;
        if (k < words) *place(shared.i, shared.records, k) = value[q];
    }
}

__global__ void __launch_bounds__(kThreads, 1) few_kernel(const __grid_constant__ FewLaunch a)
{
    __shared__ Shared shared;
    const bool first_block = blockIdx.x == 0;
    const unsigned long long begin = now();
    unsigned number = a.number;
    for (;; number++) {
        __syncthreads();
        if (threadIdx.x < 32) {
            const MailWord *mail = first_block ? a.mailbox : a.memory.passed_on;
            const unsigned long long until =
                first_block ? min(now() + kIdle, begin + kLongestStay) : 0;
            const bool came = await(mail, number, until, shared.request);
            if (!came && threadIdx.x == 0) shared.request.leave = true;
        }
        __syncthreads();
        const FewRequest &r = shared.request;
        if (first_block && threadIdx.x < kMailWords)
            write_word(a.memory.passed_on + threadIdx.x,
                       reinterpret_cast<const double *>(&r)[threadIdx.x], number);
        if (r.leave) break;
        fetch_particles(a, shared, number);
        __syncthreads();
        write_records(a, shared.records, r.nrecords);
        __syncthreads();
        sum_block(a, shared, number);
        answer(a, shared, number);
        if (!a.stays) return;
    }
    if (!first_block || threadIdx.x != 0) return;
    *a.left = number;
    __threadfence_system();
}

}  // namespace

// With more pairs the mixed sums of force.cu take less time, though they take four launches.
constexpr long long kMostPairs = 64 * 131072;
bool is_few(int ni, int nj, int single_to_double)
{
    if (single_to_double > 4) return ni == 1;
    return ni <= 16 || (ni <= kFewMost && static_cast<long long>(ni) * nj <= kMostPairs);
}

size_t few_partials(int blocks)
{
    return static_cast<size_t>(blocks) * kFewMost * kPartialWords;
}

int few_lanes(int whole_ni)
{
    for (const int lanes : {1, 4, 16, 32})
        if (whole_ni <= lanes) return lanes;
    return kFewMost;
}

int few_slots(int nj, int blocks)
{
    return std::max(16, (nj + blocks - 1) / blocks);
}

// Blocks wait for each other, so that all must be on the device at once.
void launch_few(cudaStream_t stream, const FewLaunch &a)
{
    const int blocks = (a.nj + a.per_block - 1) / a.per_block;
    FewLaunch launch = a;
    void *arguments[] = {&launch};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(&few_kernel),
                                      dim3(static_cast<unsigned>(blocks)), dim3(kThreads),
                                      arguments, 0, stream),
          "launch");
}

}  // namespace g6::cuda
