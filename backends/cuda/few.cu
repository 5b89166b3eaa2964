// SPDX-License-Identifier: MIT
// The kernel of few.h: dirty rows, prediction, force and adding up of one block step of few
// i-particles after another.
//
// Invariants
//  * Thread block 0 polls the mailbox, which is in host memory, and passes the request on in device
//    memory, where the other thread blocks poll.  One i-particle with at most one row travels in
//    the request.  Otherwise thread block 0 reads up to 1024 words of i-particles and rows in
//    host memory, and all thread blocks read equal parts of more; these words are passed on in
//    device memory, too.  Sums and neighbour hits are written to host memory.
//  * Each thread block owns a range of slots.  It alone writes the dirty rows of these slots,
//    and it alone reads them, so that prediction and pair sums need no barrier between thread
//    blocks.
//  * If all predicted j-particles of a thread block fit into its shared memory, they stay there.
//    They are predicted anew when a request changes j-particles, or has another time, other units
//    or another arithmetic.
//  * For each i-particle one thread block collects the sums of all thread blocks, and adds them in
//    a fixed order: equal bits on every run.
//  * What thread blocks and the host tell each other travels in words that carry the number of the
//    request.  So sums take no fence, no counter and no flag.  Neighbour lists take a counter and
//    fences.
//  * Only a thread block's own slots are read through the first-level cache, since no other one
//    writes to them.  All else that another thread block or the host has written since the kernel
//    began is read past it.
//  * The shared memory of the i-particles and of the sums is the same: a barrier stands between the
//    last use of one and the first of the other.
//
// Floor: a request and its answer over the bus take 4 to 5 us.  Prediction reads 140 bytes a
// j-particle, mostly in the second-level cache: 131072 of them are 18 MB.  few_pairs.cuh has the
// floor of a pair.
#include "few_sums.cuh"
#include "launch.cuh"

#include <algorithm>
#include <type_traits>

namespace g6::cuda {
namespace {

using namespace few;

// Without a request for so long the kernel leaves, and so it does after its longest stay, which
// gives others a turn and keeps the watchdog of a GPU with a display calm.
constexpr unsigned long long kIdle = 100000, kLongestStay = 20000000;  // ns

// With more pairs force.cu or tensor.cu is as fast or faster, with its four or five launches.
constexpr long long kMostPairs = 128 * 131072, kMostPairsInDouble = 64 * 131072;
// Up to so many pairs, double is as fast as floats.
constexpr long long kMostInDouble = 1 << 22;
constexpr int kMostKept = 2560;  // j-particles of a thread block
// The bodies of floats are filled up to a multiple of this, which suits any number of lanes: the
// next request may find them with another number.
constexpr int kPadded = kThreads / 16 * kAtOnce;

template <int kLanes> using Lanes = std::integral_constant<int, kLanes>;

// What the threads of a thread block share.  The predicted j-particles follow it.
struct Shared {
    FewRequest request;
    SharedGathered gathered;
    int own_rows, own_row[kFewMost];
    union {
        double i[kFewMost * kIWords];
        SharedSums sums;
    };
};

constexpr size_t kSharedWords = (sizeof(Shared) + sizeof(double2) - 1) / sizeof(double2);
constexpr size_t shared_bytes(int kept)
{
    return kSharedWords * sizeof(double2) + static_cast<size_t>(kept) * sizeof(BodyD);
}

// ---- particles that arrive ----------------------------------------------------------------------

static __device__ __forceinline__ double read_host(const double *from)
{
    return *static_cast<const volatile double *>(from);
}

static __device__ __forceinline__ double await_word(const MailWord *from, unsigned number)
{
    MailWord word;
    do word = read_word(from);
    while (!has_come(word, number));
    return value_of(word);
}

// Reads this thread block's share of the request's i-particles and rows in host memory, and
// passes it on.
static __device__ void pass_on(const FewLaunch &a, const FewRequest &r, unsigned number)
{
    constexpr int kAlone = 2 * kThreads;  // words that one thread block reads by itself
    constexpr int kWordsAtOnce = 4;
    const int tid = static_cast<int>(threadIdx.x), of_i = r.ni * kIWords,
              words = of_i + r.nrows * r.row_words,
              readers = words <= kAlone ? 1 : static_cast<int>(gridDim.x),
              share = (words + readers - 1) / readers, first = static_cast<int>(blockIdx.x) * share,
              end = min(words, first + share);
    for (int base = first + tid; base < end; base += kWordsAtOnce * kThreads) {
        // All reads are in flight before the first has come.  Threads past the end read nothing:
        // the bus serves several reads of one word one after another.
        double value[kWordsAtOnce];
#pragma unroll
        for (int q = 0; q < kWordsAtOnce; q++) {
            const int k = base + q * kThreads;
            if (k < end) value[q] = read_host(k < of_i ? r.i + k : r.rows + (k - of_i));
        }
#pragma unroll
        for (int q = 0; q < kWordsAtOnce; q++) {
            const int k = base + q * kThreads;
            if (k < end) write_word(a.memory.particles + k, value[q], number);
        }
    }
}

// A word of a row.
static __device__ __forceinline__ double row_word(const FewLaunch &a, const FewRequest &r,
                                                  unsigned number, int row, int k)
{
    if (r.carries_all) return r.few[kIWords + k];
    return await_word(a.memory.particles + r.ni * kIWords + row * r.row_words + k, number);
}

// identity: the word of a row that has the slot in its high half and the index in its low one.
static __device__ __forceinline__ bool owns(const FewLaunch &a, double identity)
{
    const int last = static_cast<int>(gridDim.x) - 1;
    return min(__double2hiint(identity) / a.per_block, last) == static_cast<int>(blockIdx.x);
}

// By one warp, if the slot is one of this thread block's.  What a row does not have becomes zero.
static __device__ void write_row(const FewLaunch &a, const FewRequest &r, unsigned number, int row)
{
    const int lane = threadIdx.x % 32, field = field_of_word(lane);
    const double word = row_word(a, r, number, row, min(lane, r.row_words - 1)),
                 identity = __shfl_sync(kAllLanes, word, kIdentityWord);
    if (!owns(a, identity)) return;
    const int slot = __double2hiint(identity);
    const bool is_there = lane < r.row_words && (field < kSnapField || a.use_snap);
    if (lane == kIdentityWord)
        a.j.index[slot] = __double2loint(identity);
    else if (field < kFields && a.j.field[field])
        a.j.field[field][slot] = is_there ? word : 0.0;
}

// The i-particles come to shared memory, and the rows to their slots.
static __device__ void receive(const FewLaunch &a, Shared &shared, unsigned number)
{
    const FewRequest &r = shared.request;
    const int tid = static_cast<int>(threadIdx.x), warp = tid / 32;
    if (!r.carries_all) pass_on(a, r, number);
    for (int k = tid; k < r.ni * kIWords; k += kThreads)
        shared.i[k] = r.carries_all ? r.few[k] : await_word(a.memory.particles + k, number);
    if (r.nrows <= kWarps) {
        if (warp < r.nrows) write_row(a, r, number, warp);
        return;
    }
    // The identities come first, and the rest of the rows that this thread block owns.
    if (tid == 0) shared.own_rows = 0;
    __syncthreads();
    for (int k = tid; k < r.nrows; k += kThreads)
        if (owns(a, row_word(a, r, number, k, kIdentityWord)))
            shared.own_row[atomicAdd(&shared.own_rows, 1)] = k;
    __syncthreads();
    for (int k = warp; k < shared.own_rows; k += kWarps) write_row(a, r, number, shared.own_row[k]);
}

// ---- the step -----------------------------------------------------------------------------------

// Thread blocks collect the sums of i-particles in turns, and send them to the host.  Thread block
// 0 has the first one, whose result tells the host that the lists are there, too.
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

// Predicts n j-particles from slot `first` on.  The places up to a multiple of `step` get
// j-particles without mass, which do not count.
template <class Body>
static __device__ void predict_bodies(Body *body, const FewLaunch &a, const FewRequest &r,
                                      int first, int n, int step)
{
    const auto motion = static_cast<Motion>(r.motion);
    const int padded = (n + step - 1) / step * step;
    for (int k = static_cast<int>(threadIdx.x); k < padded; k += kThreads)
        body[k] =
            body_of<Body>(predicted(a.j, k < n ? first + k : a.nj, a.nj, r.t, motion, r.scale));
}

// kLanes threads side by side serve as many i-particles; the rest of the thread block divides the
// j-particles.  has_predicted: body has the j-particles at this time, if all of them fit.
template <class Body, int kLanes>
static __device__ void sum_block(const FewLaunch &a, Shared &shared, Body *body, bool has_predicted,
                                 unsigned number)
{
    constexpr int kStep = kThreads / kLanes;
    constexpr bool kSplit = std::is_same_v<Body, BodyF>;
    const FewRequest &r = shared.request;
    const int tid = static_cast<int>(threadIdx.x);
    const double *words = shared.i + min(tid % kLanes, r.ni - 1) * kIWords;
    const int first = static_cast<int>(blockIdx.x) * a.per_block,
              end = min(a.nj, first + a.per_block);
    Target i;
    if constexpr (!kSplit) i = target(words, r);
    // Threads past the last i-particle repeat it, but for its list.
    const Lister list{a.memory, tid % kLanes < r.ni ? tid % kLanes : -1, r.own_in_lists};
    Sums sums{{0, 0, 0, 0, 0, 0, 0}, nobody()};
    for (int base = first; base < end; base += a.kept) {
        const int here = min(a.kept, end - base);
        if (!has_predicted || a.per_block > a.kept) {
            if (base > first) __syncthreads();
            predict_bodies(body, a, r, base, here, kSplit ? kPadded : 1);
            __syncthreads();
        }
        if constexpr (kSplit)
            add_pairs(sums, body, tid / kLanes, kStep, here, base, words, r, list);
        else
            add_pairs(sums, body, tid / kLanes, kStep, here, base, i, list);
    }
    if (r.lists) __threadfence();  // hits of any thread before the sums of the thread block
    const int active = min(kThreads, kLanes * (end - first));
    add_threads<kLanes>(sums, shared.sums, a, active, r.ni, number);
}

static __device__ void sum_block(const FewLaunch &a, Shared &shared, void *bodies,
                                 bool has_predicted, unsigned number)
{
    const auto sum = [&](auto lanes, auto *body) {
        sum_block<std::remove_pointer_t<decltype(body)>, decltype(lanes)::value>(
            a, shared, body, has_predicted, number);
    };
    const auto sum_any = [&](auto lanes) {
        if (shared.request.split)
            sum(lanes, static_cast<BodyF *>(bodies));
        else
            sum(lanes, static_cast<BodyD *>(bodies));
    };
    switch (shared.request.lanes) {
    case 1: return sum(Lanes<1>{}, static_cast<BodyD *>(bodies));
    case 4: return sum(Lanes<4>{}, static_cast<BodyD *>(bodies));
    case 16: return sum_any(Lanes<16>{});
    case 32: return sum_any(Lanes<32>{});
    case 64: return sum_any(Lanes<64>{});
    case 128: return sum_any(Lanes<128>{});
    default: return sum_any(Lanes<256>{});
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
        if (__all_sync(kAllLanes, here)) break;
        if (__any_sync(kAllLanes, late)) return false;
    }
#pragma unroll
    for (int k = 0; k < kPerLane; k++)
        if (32 * k + lane < kMailWords)
            reinterpret_cast<double *>(&request)[32 * k + lane] = value_of(word[k]);
    return true;
}

__global__ void __launch_bounds__(kThreads, 1) few_kernel(const __grid_constant__ FewLaunch a)
{
    extern __shared__ double2 memory[];
    Shared &shared = *reinterpret_cast<Shared *>(memory);
    void *const bodies = memory + kSharedWords;
    bool has_predicted = false;
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
        receive(a, shared, number);
        __syncthreads();
        sum_block(a, shared, bodies, has_predicted && r.same_predicted, number);
        has_predicted = true;
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
    if (few_kept(device) == 0) return false;
    int cooperative = 0, blocks = 0;
    const bool can =
        cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device) == cudaSuccess &&
        cudaFuncSetAttribute(few_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shared_bytes(few_kept(device))) == cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, few_kernel, kThreads, shared_bytes(few_kept(device))) == cudaSuccess &&
        cooperative && blocks > 0;
    cudaGetLastError();  // clears the error
    return can;
}

// A multiple of kPadded, so that the places that predict_bodies() fills up are there.
int few_kept(int device)
{
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "device");
    const int bodies =
        (bytes - static_cast<int>(shared_bytes(0))) / static_cast<int>(sizeof(BodyD));
    return std::max(0, std::min(kMostKept, bodies) / kPadded * kPadded);
}

bool few_in_float(int whole_ni, int nj, bool narrow)
{
    return narrow && few_lanes(whole_ni) >= 16 &&
           static_cast<long long>(whole_ni) * nj > kMostInDouble;
}

bool is_few(int whole_ni, int nj, bool narrow, int single_to_double)
{
    if (single_to_double > 4) return whole_ni == 1;
    const long long most = narrow ? kMostPairs : kMostPairsInDouble;
    return whole_ni <= 16 ||
           (whole_ni <= kFewMost && static_cast<long long>(whole_ni) * nj <= most);
}

size_t few_partials(int blocks)
{
    return static_cast<size_t>(blocks) * kFewMost * kPartialWords;
}

int few_lanes(int whole_ni)
{
    for (const int lanes : {1, 4, 16, 32, 64, 128})
        if (whole_ni <= lanes) return lanes;
    return kFewMost;
}

int few_slots(int nj, int blocks)
{
    return std::max(8, (nj + blocks - 1) / blocks);
}

// Thread blocks wait for each other, so that all must be on the device at once.
void launch_few(cudaStream_t stream, const FewLaunch &a)
{
    const int blocks = (a.nj + a.per_block - 1) / a.per_block;
    FewLaunch launch = a;
    void *arguments[] = {&launch};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(&few_kernel),
                                      dim3(static_cast<unsigned>(blocks)), dim3(kThreads),
                                      arguments, shared_bytes(a.kept), stream),
          "launch");
}

}  // namespace g6::cuda
