// SPDX-License-Identifier: MIT
// The kernel of few.h: dirty records, prediction, force and adding up of one block of few
// i-particles after another.  Below, a block is a block of threads.
//
// Invariants
//  * Block 0 polls the mailbox, which is in host memory.  It fetches the i-particles and the
//    records from host memory too, and passes all on in device memory, where the other blocks
//    poll.  Results go straight to host memory.  Nothing else crosses the bus.
//  * Each block owns a range of slots.  It alone writes the dirty records of these slots, and it
//    alone reads them, so that prediction and pair sums need no barrier between blocks.
//  * For each i-particle one block collects the sums of all blocks, and adds them in a fixed order:
//    equal bits on every run.
//  * What blocks and the host tell each other travels in words that carry the number of the
//    request.  So sums take no fence, no counter and no flag.  Neighbour lists take a counter and
//    fences.
//  * Only a block's own slots are read through the first-level cache, since no other block writes
//    to them.  All else that another block or the host has written since the kernel began is read
//    past it.
//  * The shared memory of the records, of the predicted j-particles and of the sums is the same: a
//    barrier stands between the last use of one and the first of the next.
//  * All arithmetic is in double.  Latency and reading the j-particles bound the time, not the
//    pairs, as long as doubles are at least a quarter as fast as floats (is_few()).
//
// Floor: 140 bytes a j-particle; 131072 of them take 4 us at 4.8 TB/s.  A request and its answer
// over the bus take 4 to 5 us.
#include "few_sums.cuh"
#include "launch.cuh"

#include <algorithm>

namespace g6::cuda {
namespace {

using namespace few;

// Without a request for so long the kernel leaves, and so it does after its longest stay, which
// gives others a turn and keeps the watchdog of a GPU with a display calm.
constexpr unsigned long long kIdle = 100000, kLongestStay = 20000000;  // ns

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

// Blocks collect the sums of i-particles in turns, and send them to the host.  Block 0 has the
// first one, whose result tells the host that the lists are there, too.
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
        if (tid < here) put(pass, tid, predicted(a.j, base + tid, a.nj, r.t, motion, r.scale));
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
    const int active = min(kThreads, kLanes * (end - first));
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

// The request's i-particles and records, to shared memory: block 0 reads those that the request
// does not carry in host memory, and passes them on to the other blocks.
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

bool can_launch_few(int device)
{
    int cooperative = 0, blocks = 0;
    const bool can =
        cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device) == cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, few_kernel, kThreads, 0) ==
            cudaSuccess &&
        cooperative && blocks > 0;
    cudaGetLastError();  // clears the error
    return can;
}

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
