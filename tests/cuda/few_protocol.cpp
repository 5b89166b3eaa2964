// SPDX-License-Identifier: MIT
// The host's part of backends/cuda/few.h without a GPU: FewStep talks to a thread that keeps the
// kernel's side of the protocol.  Blocks follow each other at once or after some 100 us, when the
// kernel is about to leave; some are abandoned, and some are shared by several devices.  Each
// answer must include the changes of its own request and of all earlier ones.  The first test is of
// pinned memory on a machine that has enough for what is needed, but not for twice as much, to
// which pinned memory grows elsewhere.  usage: few_protocol STEPS SEED
//
// This file also defines the calls of CUDA's runtime that FewStep makes: device memory is host
// memory, and a stream is a list of jobs for one thread.
#include "backends/cuda/few_step.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <thread>

using namespace g6;
using namespace g6::cuda;
using Clock = std::chrono::steady_clock;

// ---- the runtime --------------------------------------------------------------------------------

namespace {

size_t pinned_room = SIZE_MAX;  // bytes of one piece of pinned memory, at most

class Jobs {
public:
    void add(std::function<void()> job)
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        jobs_.push_back(std::move(job));
        changed_.notify_all();
    }
    bool is_done()
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        return jobs_.empty();
    }
    void wait()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return jobs_.empty(); });
    }
    void run()
    {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [this] { return !jobs_.empty(); });
            const std::function<void()> job = jobs_.front();
            lock.unlock();
            job();
            lock.lock();
            jobs_.pop_front();
            changed_.notify_all();
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
} jobs;

}  // namespace

// A call that succeeds, after what it does.
#define CALL(name, parameters, does)                                                               \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        does;                                                                                      \
        return cudaSuccess;                                                                        \
    }

extern "C" {
CALL(cudaMalloc, (void **p, size_t n), *p = std::calloc(1, n))
CALL(cudaFree, (void *p), std::free(p))
CALL(cudaFreeHost, (void *p), std::free(p))
CALL(cudaHostGetDevicePointer, (void **device, void *host, unsigned), *device = host)
CALL(cudaMemsetAsync, (void *p, int value, size_t n, cudaStream_t),
     jobs.add([=] { std::memset(p, value, n); }))
CALL(cudaStreamCreateWithFlags, (cudaStream_t *, unsigned), )
CALL(cudaStreamDestroy, (cudaStream_t), )
CALL(cudaStreamSynchronize, (cudaStream_t), jobs.wait())
CALL(cudaEventCreateWithFlags, (cudaEvent_t *, unsigned), )
CALL(cudaEventDestroy, (cudaEvent_t), )
CALL(cudaEventRecord, (cudaEvent_t, cudaStream_t), )
CALL(cudaDeviceGetAttribute, (int *value, cudaDeviceAttr, int), *value = 2)
CALL(cudaGetLastError, (), )
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned)
{
    if (n > pinned_room) return cudaErrorMemoryAllocation;
    *p = std::aligned_alloc(64, (n + 63) / 64 * 64);
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    *free = *total = size_t{1} << 36;
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t)
{
    return jobs.is_done() ? cudaSuccess : cudaErrorNotReady;
}
const char *cudaGetErrorString(cudaError_t)
{
    return "an error";
}
}

// ---- the kernel ---------------------------------------------------------------------------------

namespace {

constexpr std::chrono::microseconds kIdle{100};
std::atomic<int> kernels{0}, left_idle{0}, stayed{0};  // stayed: requests after a kernel's first

std::uint64_t load(const std::uint64_t &word)
{
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

// Whether all n words have the number.
bool has_come(const MailWord *from, int n, unsigned number, double *words)
{
    const auto *mail = reinterpret_cast<const std::uint64_t *>(from);
    for (int k = 0; k < n; k++) {
        const std::uint64_t low = load(mail[2 * k]), high = load(mail[2 * k + 1]);
        if (low >> 32 != number || high >> 32 != number) return false;
        const std::uint64_t word = high << 32 | (low & 0xffffffffu);
        std::memcpy(words + k, &word, sizeof word);
    }
    return true;
}

void write_row(const JMemory &j, const G6JRecord &r)
{
    j.field[0][r.slot] = r.x[0];
    j.field[kMassField][r.slot] = r.mass;
}

// The acceleration of every i-particle is the sum of m x over all j-particles, and its own x.
void serve(const FewLaunch &a, const FewRequest &r, unsigned number)
{
    double mailed[kMostMailed];
    while (!has_come(a.mailbox + kRequestWords, r.mailed, number, mailed)) {
    }
    const double *i = r.mailed ? mailed : r.i, *rows = r.mailed ? mailed + r.ni * kIWords : r.rows;
    for (int k = 0; k < r.nrows; k++)
        write_row(a.j, row_at(rows, r.row_words, static_cast<std::size_t>(k)));
    G6Sums sums{};
    for (int k = 0; k < a.nj; k++) sums.acc[0] += a.j.field[0][k] * a.j.field[kMassField][k];
    for (int n = r.ni - 1; n >= 0; n--) {
        sums.acc[1] = i[n * kIWords];
        std::uint64_t words[kSumsWords];
        std::memcpy(words, &sums, sizeof sums);
        auto *to = reinterpret_cast<std::uint64_t *>(a.memory.answer + n * kSumsWords);
        const std::uint64_t tag = static_cast<std::uint64_t>(number) << 32;
        for (int k = 0; k < kSumsWords; k++) {
            __atomic_store_n(&to[2 * k], tag | (words[k] & 0xffffffffu), __ATOMIC_RELEASE);
            __atomic_store_n(&to[2 * k + 1], tag | words[k] >> 32, __ATOMIC_RELEASE);
        }
    }
}

void run_kernel(const FewLaunch &a)
{
    for (unsigned number = a.number;; number++) {
        double words[kRequestWords] = {};
        const Clock::time_point begin = Clock::now();
        bool came = false;
        for (bool late = false; !came; late = Clock::now() - begin > kIdle) {
            came = has_come(a.mailbox, kRequestWords, number, words);
            if (late) break;
        }
        FewRequest request;
        std::memcpy(&request, words, sizeof request);
        if (!came || request.leave) {
            if (!came) left_idle++;
            __atomic_store_n(const_cast<unsigned *>(a.left), number, __ATOMIC_RELEASE);
            return;
        }
        serve(a, request, number);
        if (!a.stays) return;
        stayed += number != a.number;
    }
}

}  // namespace

#define ANSWER(type, name, parameters, value)                                                      \
    type name parameters                                                                           \
    {                                                                                              \
        return value;                                                                              \
    }

namespace g6::cuda {

ANSWER(bool, can_launch_few, (int), true)
ANSWER(int, few_shared_bodies, (int), 0)
ANSWER(bool, few_in_float, (int, int, bool), false)
ANSWER(bool, is_few, (int ni, int, int), ni <= kFewMost)
ANSWER(int, few_group_threads, (int), kFewMost)
ANSWER(int, few_slots, (int nj, int), nj)
void launch_few(cudaStream_t, const FewLaunch &launch)
{
    kernels++;
    jobs.add([launch] { run_kernel(launch); });
}
// More rows than a request can have go this way.
void launch_receive(cudaStream_t, const Arrivals &a, const JMemory &j, const IMemory &,
                    const Request &)
{
    jobs.add([=] {
        for (int k = 0; k < a.nrows; k++)
            write_row(j, row_at(a.rows, a.row_words, static_cast<std::size_t>(k)));
    });
}

}  // namespace g6::cuda

// ---- the client ---------------------------------------------------------------------------------

namespace {

bool grows_within_room()
{
    pinned_room = 1000 * sizeof(double);
    MappedArray<double> array;
    array.need(600);
    array.host()[599] = 7;
    array.need(700, 600);
    bool has_grown = array.capacity() == 700 && array.host()[599] == 7;
    try {
        array.need(1001);
        has_grown = false;
    } catch (const CudaError &) {
        has_grown = has_grown && array.capacity() == 700 && array.host()[599] == 7;
    }
    pinned_room = SIZE_MAX;
    return has_grown;
}

constexpr int kBodies = kFewMostRows + 100;

double mass_of(int body)
{
    return 1 + body % 7;
}

class Session {
public:
    explicit Session(unsigned seed) : random_(seed) { j_.grow(j_.slots_for(kBodies)); }
    // Returns whether the answer was right, or was not asked for.
    bool step(int number)
    {
        const bool is_late = below(8) == 0;
        pause(is_late);
        const bool same_particles = is_abandoned_ && below(2) == 0;
        if (!same_particles)
            change(number, number == 0     ? kBodies
                           : below(8) == 0 ? kFewMostRows + 1
                           : below(8) == 0 ? below(kFewMostRows)
                                           : below(3));
        const int ni = 1 + below(5);
        for (int k = 0; k < ni; k++) i_records_[k].x[0] = number + k;
        stream_.synchronize();
        Request r{};
        r.ni = r.whole_ni = ni;
        r.nj = kBodies;
        r.want = kWantJerk | kWantNearest;
        r.jerk = r.near = true;
        r.i = i_records_;
        r.motion = Motion::kAtRest;
        r.shared = below(20) == 0;
        results_.go_to(results_, 0, ni);
        i_.stage(r, i_, false);
        few_.start(r);
        if (r.shared) j_.mark_received();
        is_abandoned_ = below(is_late ? 2 : 12) == 0;
        if (is_abandoned_) return true;
        few_.finish();
        return is_right(number, ni);
    }
    ~Session()
    {
        stream_.synchronize();
        cudaStreamSynchronize(stream_);
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    // Short, so that the kernel gets several requests, or about as long as it waits for one.
    void pause(bool is_long)
    {
        const std::chrono::nanoseconds length{is_long ? 85000 + below(30000) : below(3000)};
        const Clock::time_point begin = Clock::now();
        while (Clock::now() - begin < length) {
        }
    }
    void change(int number, int n)
    {
        if (n == 0) return;
        const int first = n == kBodies ? 0 : below(kBodies);
        stream_.synchronize();
        const int words = below(2) ? kRestWords : kRecordWords;
        double *rows = j_.stage(n, words);
        for (int k = 0; k < n; k++) {
            const int body = (first + k) % kBodies;
            x_[body] = number + 1;
            G6JRecord full{};
            full.x[0] = x_[body];
            full.mass = mass_of(body);
            full.slot = full.index = body;
            copy_row(full, kRecordWords, row_at(rows, words, static_cast<std::size_t>(k)), words);
        }
    }
    // The sums are of whole numbers, without rounding.
    bool is_right(int number, int ni)
    {
        double sum = 0;
        for (int k = 0; k < kBodies; k++) sum += x_[k] * mass_of(k);
        const G6Sums *sums = results_.sums().sums;
        for (int k = 0; k < ni; k++)
            if (sums[k].acc[0] != sum || sums[k].acc[1] != number + k) return false;
        return true;
    }

    std::mt19937 random_;
    DeviceOptions options_;
    DeviceCounters counters_;
    Stream stream_;
    JParticles j_{stream_};
    DeviceIParticles i_{stream_, options_};
    Results results_{stream_, counters_};
    DeviceLists lists_{stream_, counters_};
    FewStep few_{SharedParts{stream_, counters_, j_, i_, results_, lists_, options_, 132}, 0};
    G6IRecord i_records_[kFewMost] = {};
    double x_[kBodies] = {};
    bool is_abandoned_ = false;
};

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    if (!grows_within_room()) {
        std::puts("pinned memory grows wrongly");
        return 1;
    }
    std::thread([] { jobs.run(); }).detach();
    int steps = std::atoi(argv[1]), wrong = 0;
    {
        Session session(static_cast<unsigned>(std::atoi(argv[2])));
        // A busy machine may need more steps until one kernel has had two requests.
        const auto has_tried_all = [] { return left_idle > 0 && stayed > 0; };
        for (int k = 0; k < steps; k++) {
            wrong += !session.step(k);
            if (k == steps - 1 && !has_tried_all() && steps < 5000000) steps += 10000;
        }
    }
    std::printf("%d steps, %d kernels, %d of which left by themselves; %d wrong\n", steps,
                kernels.load(), left_idle.load(), wrong);
    std::fflush(stdout);
    std::_Exit(wrong > 0 || left_idle == 0 || stayed == 0);
}
