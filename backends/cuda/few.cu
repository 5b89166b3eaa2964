// SPDX-License-Identifier: MIT
// The kernel of few.h.  For one block step of few i-particles after another it takes in the changed
// rows, predicts, computes the forces of all pairs and adds them up.
//
// Invariants
//  * Thread block 0 polls the mailbox, which is in host memory, and passes the request on in device
//    memory, where the other thread blocks poll.  In both places mailed particles lie behind the
//    request and are polled together with it.  A few thread blocks read particles that are not
//    mailed from host memory, each with all its reads in flight at once, and pass them on in device
//    memory: many small reads over the bus take longer than few large ones.  Sums and neighbour
//    hits are written to host memory.
//  * Each thread block owns a range of slots.  It alone writes and reads the j-particles in these
//    slots, so that prediction and pair sums need no barrier between thread blocks.
//  * If all predicted j-particles of a thread block fit into its shared memory, they stay there.
//    They are predicted anew when a request changes j-particles, or has another time, other units
//    or another arithmetic.
//  * For each i-particle one thread block collects the sums of all thread blocks, and adds them in
//    a fixed order: equal bits on every run.
//  * What thread blocks and the host tell each other travels in words that carry the number of the
//    request.  So sums take no fence, no counter and no flag.  Neighbour lists take a counter and
//    fences.
//  * A thread block reads its own slots through the first-level cache, since no other thread block
//    writes to them.  Whatever else another thread block or the host has written since the kernel
//    began, it reads past this cache.
//  * The i-particles and the sums lie in the same shared memory: a barrier stands between the last
//    use of the one and the first use of the other.
//
// Floor: a request and its answer over the bus take 4 to 5 us.  Prediction reads 140 bytes a
// j-particle, mostly in the second-level cache: 131072 j-particles take 18 MB.  few_pairs.cuh has
// the floor of a pair.  Code that runs once a request misses the instruction cache and takes
// several clocks an instruction.  So it is short, and the same for any number of i-particles.
#include "few_sums.cuh"
#include "launch.cuh"

#include <algorithm>

namespace g6::cuda {
namespace {

using namespace few;

// The kernel leaves when no request has come for kIdle, or when it has stayed for kLongestStay.  So
// other programs get a turn, and the watchdog of a GPU with a display does not end the kernel.
constexpr unsigned long long kIdle = 100000, kLongestStay = 20000000;  // ns
constexpr int kPollsAtOnce = 8;  // between two looks at the clock; a poll takes about 1 us

// With more pairs force.cu or tensor.cu is as fast or faster, despite its four or five launches.
// For 17 to 48 i-particles (a GRAPE-6 had 48 pipes) the limit is twice as high; up to 16
// i-particles there is none.
constexpr long long kMostPairs = 256 * 131072;
// With fewer pairs, double is as fast as floats.
constexpr long long kLeastInFloat = 1 << 21;
constexpr int kMostSharedBodies = 2560;  // most predicted j-particles that a thread block keeps
// What the threads of a thread block share.  The predicted j-particles follow it.
struct Shared {
    FewRequest request;
    SharedGathered gathered;
    int own_rows;
    std::int16_t own_row[kFewMostRows];
    union {
        double i[kFewMost * kIWords];  // i-particles; then rows, if they were mailed
        SharedSums sums;
    };
};

constexpr size_t kSharedWords = (sizeof(Shared) + sizeof(double2) - 1) / sizeof(double2);
constexpr size_t shared_bytes(int bodies)
{
    return kSharedWords * sizeof(double2) + static_cast<size_t>(bodies) * sizeof(BodyD);
}

// ---- particles that arrive ----------------------------------------------------------------------

// Reads this thread block's share of the request's i-particles and rows in host memory, and
// passes it on.
static __device__ void pass_on(const FewLaunch &a, const FewRequest &r, unsigned number)
{
    constexpr int kWordsAtOnce = 4, kShare = kWordsAtOnce * kThreads;
    const int tid = static_cast<int>(threadIdx.x), of_i = r.ni * kIWords,
              words = of_i + r.nrows * r.row_words;
    for (int first = static_cast<int>(blockIdx.x) * kShare; first < words;
         first += static_cast<int>(gridDim.x) * kShare) {
        // All reads are in flight before the first one returns.  Threads past the end read nothing,
        // since the bus serves several reads of one word one after another.
        double value[kWordsAtOnce] = {};
#pragma unroll
        for (int q = 0; q < kWordsAtOnce; q++) {
            const int k = first + q * kThreads + tid;
            const volatile double *const from = k < of_i ? r.i + k : r.rows + (k - of_i);
            if (k < words) value[q] = *from;
        }
#pragma unroll
        for (int q = 0; q < kWordsAtOnce; q++) {
            const int k = first + q * kThreads + tid;
            if (k < words) write_word(a.memory.relay + kRequestWords + k, value[q], number);
        }
    }
}

// Waits for the words from(k), k = threadIdx.x, threadIdx.x + kThreads ... below n, and calls
// take(k, value) for each.
template <class From, class Take>
static __device__ __forceinline__ void await_words(int n, unsigned number, From &&from, Take &&take)
{
    // A round serves 256 i-particles with the identities of 256 rows.
    constexpr int kWordsAtOnce = 5;
    for (int first = static_cast<int>(threadIdx.x); first < n; first += kWordsAtOnce * kThreads) {
        MailWord word[kWordsAtOnce];
        bool here;
        do {
            here = true;
#pragma unroll
            for (int q = 0; q < kWordsAtOnce; q++)
                if (first + q * kThreads < n) word[q] = read_word(from(first + q * kThreads));
#pragma unroll
            for (int q = 0; q < kWordsAtOnce; q++)
                here = here && (first + q * kThreads >= n || has_come(word[q], number));
        } while (!here);
#pragma unroll
        for (int q = 0; q < kWordsAtOnce; q++)
            if (first + q * kThreads < n) take(first + q * kThreads, value_of(word[q]));
    }
}

// Whether this thread block owns the slot of a row.  identity: the row's word that has the slot in
// its high half and the index in its low one.
static __device__ __forceinline__ bool owns(const FewLaunch &a, double identity)
{
    const int first = static_cast<int>(blockIdx.x) * a.per_block, slot = __double2hiint(identity);
    return slot >= first && (slot < first + a.per_block || blockIdx.x == gridDim.x - 1);
}

// One warp writes a row to its slot.  word: the row's word number `lane`, where the row has one.
// Fields that the row lacks become zero.
static __device__ __forceinline__ void write_row(const FewLaunch &a, const FewRequest &r,
                                                 double word)
{
    const int lane = threadIdx.x % 32, field = field_of_word(lane);
    const double identity = __shfl_sync(kAllLanes, word, kIdentityWord);
    const int slot = __double2hiint(identity);
    const bool is_there = lane < r.row_words;
    if (lane == kIdentityWord)
        a.j.index[slot] = __double2loint(identity);
    else if (field < kFields && a.j.field[field])
        a.j.field[field][slot] = is_there ? word : 0.0;
}

// Of the mailed rows, which lie behind the i-particles in shared memory, writes those that this
// thread block owns to their slots.
static __device__ void write_mailed_rows(const FewLaunch &a, const Shared &shared)
{
    const FewRequest &r = shared.request;
    const int warp = threadIdx.x / 32, word = min(threadIdx.x % 32, r.row_words - 1u);
    for (int k = warp; k < r.nrows; k += kWarps) {
        const double *row = shared.i + r.ni * kIWords + k * r.row_words;
        if (owns(a, row[kIdentityWord])) write_row(a, r, row[word]);
    }
}

// Brings the i-particles to shared memory, and the rows that this thread block owns to their slots.
// It waits first for the identities of all rows, then for the other words of its own rows.
static __device__ void receive(const FewLaunch &a, Shared &shared, unsigned number)
{
    const FewRequest &r = shared.request;
    const int warp = static_cast<int>(threadIdx.x) / 32, of_i = r.ni * kIWords;
    const MailWord *const words = a.memory.relay + kRequestWords, *const rows = words + of_i;
    pass_on(a, r, number);
    if (threadIdx.x == 0) shared.own_rows = 0;
    __syncthreads();
    await_words(
        of_i + r.nrows, number,
        [&](int k) {
            return k < of_i ? words + k : rows + (k - of_i) * r.row_words + kIdentityWord;
        },
        [&](int k, double value) {
            if (k < of_i)
                shared.i[k] = value;
            else if (owns(a, value))
                shared.own_row[atomicAdd(&shared.own_rows, 1)] =
                    static_cast<std::int16_t>(k - of_i);
        });
    __syncthreads();
    for (int k = warp; k < shared.own_rows; k += kWarps) {
        const MailWord *row = rows + shared.own_row[k] * r.row_words;
        MailWord word;
        do word = read_word(row + min(threadIdx.x % 32, r.row_words - 1u));
        while (!has_come(word, number));
        __syncwarp();
        write_row(a, r, value_of(word));
    }
}

// ---- the step -----------------------------------------------------------------------------------

// Thread blocks take turns at i-particles, whose sums they collect and send to the host.  The first
// half of a thread block serves one i-particle.  Where there are more i-particles than thread
// blocks, the second half serves another one.  Thread block 0 sends the lists before the result of
// the first i-particle, which so tells the host that they are there.
static __device__ void answer(const FewLaunch &a, Shared &shared, unsigned number)
{
    const FewRequest &r = shared.request;
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32,
              blocks = static_cast<int>(gridDim.x), leader = warp / kCollectors * kCollectors;
#pragma unroll 1
    for (int first = static_cast<int>(blockIdx.x); first < r.ni; first += 2 * blocks) {
        const int n = first + (leader > 0 ? blocks : 0);
        const Gathered g = collect(a, r, number, n, leader, shared.gathered);
        if (r.lists && first == 0) {
            __syncthreads();
            send_hits(a.memory);
        }
        if (warp == leader && n < r.ni && lane < kValues)
            send_result(a.memory.answer + n * kSumsWords, g, lane, r.unit[lane], number);
        __syncthreads();
    }
}

// Predicts n j-particles from slot `first` on.  With floats, the places behind them up to a
// multiple of kAtOnce become empty slots.
static __device__ void predict_bodies(void *bodies, const FewLaunch &a, const FewRequest &r,
                                      int first, int n)
{
    const auto motion = static_cast<Motion>(r.motion);
    const int padded = r.split ? (n + kAtOnce - 1) / kAtOnce * kAtOnce : n;
    for (int k = static_cast<int>(threadIdx.x); k < padded; k += kThreads) {
        const PredictedBody p =
            predicted(a.j, k < n ? first + k : a.nj, a.nj, r.t, motion, r.scale);
        if (r.split)
            static_cast<BodyF *>(bodies)[k] = body_of<BodyF>(p);
        else
            static_cast<BodyD *>(bodies)[k] = body_of<BodyD>(p);
    }
}

// The indices of a thread block's j-particles, from slot `first` on.
static __device__ __forceinline__ Indices indices_of(const FewLaunch &a, const FewRequest &r,
                                                     const void *bodies, int first)
{
    if (a.per_block > a.shared_bodies) return {a.j.index, 0, 1};
    if (r.split)
        return {&static_cast<const BodyF *>(bodies)->id.x, first, sizeof(BodyF) / sizeof(int)};
    return {&static_cast<const BodyD *>(bodies)->id.x, first, sizeof(BodyD) / sizeof(int)};
}

// Groups of r.group_threads threads divide the j-particles among themselves.
// has_predicted: if all j-particles of the thread block fit, `bodies` has them at this time.
static __device__ void sum_block(const FewLaunch &a, Shared &shared, void *bodies,
                                 bool has_predicted, unsigned number)
{
    const FewRequest &r = shared.request;
    const int tid = static_cast<int>(threadIdx.x),
              groups = kThreads * r.group_reciprocal >> kQuotientBits,
              group = tid * r.group_reciprocal >> kQuotientBits, n = tid - group * r.group_threads;
    const double *words = shared.i + min(n, r.ni - 1) * kIWords;
    const int first = static_cast<int>(blockIdx.x) * a.per_block,
              end = min(a.nj, first + a.per_block);
    // Threads past the last i-particle compute its sums too, but make no list.
    const Lister list{a.memory, n < r.ni ? n : -1, r.own_in_lists};
    Sums sums{{0, 0, 0, 0, 0, 0, 0}, nobody()};
    for (int base = first; base < end; base += a.shared_bodies) {
        const int here = min(a.shared_bodies, end - base);
        if (!has_predicted || a.per_block > a.shared_bodies) {
            if (base > first) __syncthreads();
            predict_bodies(bodies, a, r, base, here);
            __syncthreads();
        }
        if (group >= groups) continue;  // threads that are left over
        if (r.split)
            add_pairs(sums, static_cast<const BodyF *>(bodies), group, groups, here, base, words, r,
                      list);
        else
            add_pairs(sums, static_cast<const BodyD *>(bodies), group, groups, here, base, words, r,
                      list);
    }
    if (r.lists) __threadfence();  // the hits become visible before the sums of the thread block
    const int active = min(kThreads, r.group_threads * (end - first));
    add_threads(sums, shared.sums, a, r.group_threads, groups, active, r.whole_ni, r.ni,
                indices_of(a, r, bodies, first), number);
}

// ---- requests -----------------------------------------------------------------------------------

static __device__ __forceinline__ unsigned long long now()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return ns;
}

// Waits for the request of this number.  The first warp reads the request, and `expected` other
// threads, as many as words were mailed the last time, read one word of mailed particles each at
// the same time.  Thread block 0 reads the host's memory and passes on what has come.  When it has
// waited for kIdle, or at the time leaves_at, it passes on an order to leave instead.
// Returns whether this thread's word has come.
static __device__ bool await(const FewLaunch &a, Shared &shared, unsigned number,
                             unsigned long long leaves_at, int expected)
{
    static_assert(kRequestWords <= 32);
    const bool first_block = blockIdx.x == 0;
    const MailWord *const mail = first_block ? a.mailbox : a.memory.relay;
    const int tid = static_cast<int>(threadIdx.x), mine = tid - 32;
    const int place = tid < 32 ? min(tid, kRequestWords - 1) : kRequestWords + mine;
    // One thread reads the clock, and only from time to time: a poll that reads it takes longer.
    const bool has_clock = first_block && tid == kThreads - 1;
    const unsigned long long until = has_clock ? min(now() + kIdle, leaves_at) : 0;
    for (int polls = 1;; polls++) {
        MailWord word;
        bool here = false;
        if (mine < expected) {
            word = read_word(mail + place);
            here = has_come(word, number);
        }
        if (__syncthreads_and(here || mine >= 0)) {
            if (!here) return false;
            if (first_block) write_word(a.memory.relay + place, value_of(word), number);
            if (tid < kRequestWords)
                reinterpret_cast<double *>(&shared.request)[tid] = value_of(word);
            else if (mine >= 0)
                shared.i[mine] = value_of(word);
            return true;
        }
        // Most requests come before the eighth poll.  So at every 64th request the kernel looks at
        // the clock after each poll; otherwise it might never look.
        const int at_once = number % 64 == 0 ? 1 : kPollsAtOnce;
        if (!first_block || polls % at_once != 0) continue;
        if (!__syncthreads_or(has_clock && now() > until)) continue;
        if (tid == 0) shared.request.leave = true;
        __syncthreads();
        if (tid < kRequestWords)
            write_word(a.memory.relay + tid, reinterpret_cast<const double *>(&shared.request)[tid],
                       number);
        return false;
    }
}

// Brings to shared memory the mailed words that await() has not brought there.  Returns the number
// of mailed words.
static __device__ int take_mail(const FewLaunch &a, Shared &shared, unsigned number, bool here)
{
    const FewRequest &r = shared.request;
    const int mine = static_cast<int>(threadIdx.x) - 32, place = kRequestWords + mine;
    if (r.leave || here || mine < 0 || mine >= r.mailed) return r.mailed;
    const bool first_block = blockIdx.x == 0;
    const MailWord *const mail = first_block ? a.mailbox : a.memory.relay;
    MailWord word;
    do word = read_word(mail + place);
    while (!has_come(word, number));
    shared.i[mine] = value_of(word);
    if (first_block) write_word(a.memory.relay + place, value_of(word), number);
    return r.mailed;
}

__global__ void __launch_bounds__(kThreads, 1) few_kernel(const __grid_constant__ FewLaunch a)
{
    extern __shared__ double2 memory[];
    Shared &shared = *reinterpret_cast<Shared *>(memory);
    void *const bodies = memory + kSharedWords;
    bool has_predicted = false;
    int expected = 0;  // words that are mailed
    const unsigned long long leaves_at = now() + kLongestStay;
    unsigned number = a.number;
    for (;; number++) {
        __syncthreads();
        const bool here = await(a, shared, number, leaves_at, expected);
        __syncthreads();
        const FewRequest &r = shared.request;
        expected = take_mail(a, shared, number, here);
        if (r.leave) break;
        if (!r.mailed) receive(a, shared, number);
        __syncthreads();
        if (r.mailed && r.nrows > 0) {
            write_mailed_rows(a, shared);
            __syncthreads();
        }
        const bool same = has_predicted && r.same_predicted;
        sum_block(a, shared, bodies, same, number);
        has_predicted = true;
        answer(a, shared, number);
        if (!a.stays) return;
    }
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    *a.left = number;
    __threadfence_system();
}

}  // namespace

bool can_launch_few(int device)
{
    if (few_shared_bodies(device) == 0) return false;
    int cooperative = 0, blocks = 0;
    const bool can =
        cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device) == cudaSuccess &&
        cudaFuncSetAttribute(few_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             shared_bytes(few_shared_bodies(device))) == cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, few_kernel, kThreads,
                                                      shared_bytes(few_shared_bodies(device))) ==
            cudaSuccess &&
        cooperative && blocks > 0;
    cudaGetLastError();  // clears the error
    return can;
}

// A multiple of kAtOnce, so that there is room for the empty slots of predict_bodies().
int few_shared_bodies(int device)
{
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "device");
    const int bodies =
        (bytes - static_cast<int>(shared_bytes(0))) / static_cast<int>(sizeof(BodyD));
    return std::max(0, std::min(kMostSharedBodies, bodies) / kAtOnce * kAtOnce);
}

bool few_in_float(int whole_ni, int nj, bool narrow)
{
    return narrow && few_group_threads(whole_ni) >= 16 &&
           static_cast<long long>(whole_ni) * nj >= kLeastInFloat;
}

bool is_few(int whole_ni, int nj, int single_to_double)
{
    if (single_to_double > 4) return whole_ni == 1;
    const long long most = whole_ni <= 48 ? 2 * kMostPairs : kMostPairs;
    return whole_ni <= 16 ||
           (whole_ni <= kFewMost && static_cast<long long>(whole_ni) * nj <= most);
}

int few_group_threads(int whole_ni)
{
    for (const int threads : {1, 4})
        if (whole_ni <= threads) return threads;
    return (whole_ni + 15) / 16 * 16;
}

int few_slots(int nj, int blocks)
{
    return std::max(8, (nj + blocks - 1) / blocks);
}

// Thread blocks wait for each other, so that all must be on the device at once.  What the predicted
// j-particles leave of the shared memory serves as first-level cache.
void launch_few(cudaStream_t stream, const FewLaunch &a)
{
    const int blocks = (a.nj + a.per_block - 1) / a.per_block;
    FewLaunch launch = a;
    launch.shared_bodies =
        std::min(a.shared_bodies, (a.per_block + kAtOnce - 1) / kAtOnce * kAtOnce);
    void *arguments[] = {&launch};
    check(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(&few_kernel),
                                      dim3(static_cast<unsigned>(blocks)), dim3(kThreads),
                                      arguments, shared_bytes(launch.shared_bodies), stream),
          "launch");
}

}  // namespace g6::cuda
