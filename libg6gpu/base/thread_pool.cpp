// SPDX-License-Identifier: MIT
// How the pool's threads wait for loops: they poll for a while and then sleep on a futex, from
// which other threads wake them.  A thread that lacks a processor rests, so that no loop waits for
// it.
#include "thread_pool.h"

#include "fork.h"
#include "processors.h"
#include "status.h"

#include <chrono>
#include <climits>
#include <csignal>
#include <linux/futex.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// Of the client's OpenMP, where the program has one.
extern "C" int omp_in_parallel() __attribute__((weak));

namespace g6 {
namespace {

using Clock = std::chrono::steady_clock;
using Word = std::atomic<unsigned>;
static_assert(sizeof(Word) == 4 && Word::is_always_lock_free, "the system waits on such words");

// In a steady run, loops are some 10 to 100 us apart.
constexpr std::chrono::microseconds kWatch(800);
constexpr std::chrono::seconds kPatience(1);  // until a thread that did not start is tried again
constexpr std::chrono::milliseconds kLate(1), kShortRest(2), kLongRest(1000);
constexpr std::size_t kStackBytes = std::size_t{1} << 20;

void relax()
{
#if defined(__SSE2__)
    _mm_pause();
#endif
}

// most: the longest sleep; zero: without end.
void sleep_while(Word &word, unsigned value, std::chrono::nanoseconds most = {})
{
    constexpr long kSecond = 1000000000;
    const timespec end = {static_cast<time_t>(most.count() / kSecond), most.count() % kSecond};
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, most.count() > 0 ? &end : nullptr, nullptr,
            0);
}
void wake(Word &word)
{
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

// Polls until met() is true or the time is `end`, and returns met().  yields: gives the processor
// to another thread that waits for it, such as one of the client's OpenMP or of another program.
template <class Met> bool watch(Clock::time_point end, Met &&met, bool yields = false)
{
    do {
        for (int k = 0; k < 64; k++) {
            if (met()) return true;
            relax();
        }
        if (yields) sched_yield();
    } while (Clock::now() < end);
    return met();
}

// Whether the calling thread is inside a loop.
thread_local bool t_inside = false;

// A loop that threads may join.
struct alignas(64) Loop {
    std::atomic<bool> used{false}, open{false}, caller_sleeps{false};
    std::atomic<int> threads{0};  // only threads with lower numbers may join
    // The following members are written while no thread may join.
    unsigned number = 0;
    void (*work)(void *argument, int thread) = nullptr;
    void *argument = nullptr;
};

// A thread writes to `inside` before it looks whether the loop is open, and the caller closes the
// loop before it looks at the `inside` of each thread.  So the caller's variables, to which
// Loop::argument points, outlive every visit.  A counter of visitors in the loop would serve as
// well, but all threads would have to write its cache line, one after the other.
struct alignas(128) Worker {
    Word inside{0};  // ThreadPool::name_of() of a loop; 0: none
    alignas(64) Word alarm{0};
    std::atomic<bool> sleeps{false};
    std::atomic<Clock::time_point> rests_until{Clock::time_point{}};
    std::atomic<std::chrono::milliseconds> rest{kShortRest};

    bool rests() const { return rest_left().count() > 0; }
    // Zero: it does not rest.
    Clock::duration rest_left() const
    {
        const Clock::time_point end = rests_until.load(std::memory_order_relaxed);
        if (end == Clock::time_point{}) return {};
        return std::max(Clock::duration{}, end - Clock::now());
    }
    void be_late()
    {
        const Clock::time_point now = Clock::now();
        const bool often = now - rests_until.load() < std::chrono::seconds(1);
        rest = often ? std::min(2 * rest.load(), kLongRest) : kShortRest;
        rests_until = now + rest.load();
    }
};

class ThreadPool;
ThreadPool &pool();  // of this process

class ThreadPool {
public:
    void run(int threads, void (*work)(void *, int), void *argument)
    {
        Loop *const loop = t_inside || threads <= 1 ? nullptr : free_loop();
        if (!loop) return work(argument, 0);
        const int helpers = std::min(threads - 1, start(threads - 1));
        loop->threads = helpers + 1;
        loop->work = work;
        loop->argument = argument;
        loop->number = bell_.load() + 1;
        loop->open.store(true, std::memory_order_release);
        bell_.fetch_add(1);
        rouse(0, helpers);
        const Clock::time_point begin = Clock::now();
        t_inside = true;
        work(argument, 0);
        t_inside = false;
        loop->open = false;
        if (!is_left(*loop)) wait(*loop, begin);
        loop->used = false;
    }

private:
    static constexpr int kLoops = 8;  // at the same time; others run on their callers alone

    Loop *free_loop()
    {
        for (Loop &l : loops_)
            if (!l.used.load(std::memory_order_relaxed) && !l.used.exchange(true)) return &l;
        return nullptr;
    }

    // The value of Worker::inside of a thread in this loop: the loop's place in the pool, from 1
    // on.
    unsigned name_of(const Loop &loop) const { return static_cast<unsigned>(&loop - loops_) + 1; }

    // Calls f for each thread in the loop but the caller, which has closed it.  A thread beyond
    // Loop::threads may have come to look, because it had read the number of an earlier loop in
    // this place.  The caller of that loop knew of the thread, and so does this one: whoever takes
    // a Loop sees what its last user saw of started_.
    template <class F> void each_visitor(const Loop &loop, F &&f)
    {
        const unsigned name = name_of(loop);
        for (int k = 0, n = started_.load(std::memory_order_relaxed); k < n; k++)
            if (workers_[k].inside.load() == name) f(workers_[k]);
    }
    bool is_left(const Loop &loop)
    {
        bool left = true;
        each_visitor(loop, [&](const Worker &) { left = false; });
        return left;
    }

    // Waits until all threads have left the loop.  All have equal shares of the work.  So a thread
    // that takes kWatch, and then half as long again as the loop has taken, lacks a processor: it
    // must rest (be_late()).
    void wait(Loop &loop, Clock::time_point begin)
    {
        const auto left = [&] { return is_left(loop); };
        if (watch(Clock::now() + kWatch, left)) return;
        const Clock::time_point done = Clock::now();
        if (watch(done + std::max<Clock::duration>(kLate, (done - begin) / 2), left)) return;
        each_visitor(loop, [](Worker &w) { w.be_late(); });
        loop.caller_sleeps = true;
        while (!is_left(loop))
            each_visitor(loop, [&](Worker &w) { sleep_while(w.inside, name_of(loop)); });
        loop.caller_sleeps = false;
    }

    // Wakes the threads of a loop as a binary tree, because it takes a microsecond or two to wake a
    // thread: thread k wakes threads 2 k + 1 and 2 k + 2, which wake further threads when they
    // join.  A thread that rests does not join, so that thread k also wakes the threads below it.
    void rouse(int thread, int helpers)
    {
        for (int t = 2 * thread + 1; t <= 2 * thread + 2 && t <= helpers; t++) {
            Worker &w = workers_[t - 1];
            if (!w.sleeps.load()) continue;
            if (w.rests()) {
                rouse(t, helpers);
            } else if (w.sleeps.exchange(false)) {
                w.alarm.fetch_add(1);
                wake(w.alarm);
            }
        }
    }

    // Starts threads until there are `wanted` ones.  Returns how many there are.
    int start(int wanted)
    {
        int n = started_.load();
        if (n >= wanted || Clock::now() < retry_.load()) return n;
        const std::unique_lock<std::mutex> lock(starting_, std::try_to_lock);
        if (!lock) return n;
        for (n = started_.load(); n < wanted; started_ = ++n)
            if (!start_one(n)) {
                // In a call without a CallScope the user's function would run amid the work.  A
                // later call tells the user, after kPatience, if threads still cannot be started.
                if (in_call_scope())
                    log(kLogWarn, "only %d of %d threads can be started; going on with these",
                        n + 1, wanted + 1);
                retry_ = Clock::now() + kPatience;
                break;
            }
        return n;
    }
    bool start_one(int number)
    {
        pthread_attr_t attributes;
        if (pthread_attr_init(&attributes) != 0) return false;
        pthread_attr_setstacksize(&attributes, kStackBytes);
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_t thread;
        const auto body = [](void *worker) -> void * {
            pool().serve(*static_cast<Worker *>(worker));
            return nullptr;
        };
        const bool made = pthread_create(&thread, &attributes, body, &workers_[number]) == 0;
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        pthread_attr_destroy(&attributes);
        return made;
    }

    void serve(Worker &self)
    {
        const int thread = static_cast<int>(&self - workers_) + 1;
        t_inside = true;
        unsigned last[kLoops] = {};  // loops that this thread has been in
        for (Clock::time_point end = Clock::now() + kWatch;;) {
            const unsigned bell = bell_.load();
            bool joined = false;
            for (int k = 0; k < kLoops; k++) joined = join(loops_[k], thread, last[k]) || joined;
            if (joined) end = Clock::now() + kWatch;
            if (!self.rests() && (joined || watch(
                                                end, [&] { return bell_.load() != bell; }, true)))
                continue;
            const unsigned alarm = self.alarm.load();
            self.sleeps = true;
            // After its rest it looks for loops that are still open.
            const Clock::duration rest = self.rest_left();
            if (rest.count() > 0 || bell_.load() == bell) sleep_while(self.alarm, alarm, rest);
            self.sleeps = false;
        }
    }
    bool join(Loop &loop, int thread, unsigned &last)
    {
        if (!loop.open.load() || thread >= loop.threads.load()) return false;
        Worker &self = workers_[thread - 1];
        self.inside = name_of(loop);
        const bool joins =
            loop.open.load() && loop.number != last && thread < loop.threads && !self.rests();
        if (joins) {
            last = loop.number;
            rouse(thread, loop.threads - 1);
            loop.work(loop.argument, thread);
        }
        self.inside = 0;
        if (loop.caller_sleeps.load()) wake(self.inside);
        return joins;
    }

    alignas(64) Word bell_{0};  // counts loops
    Loop loops_[kLoops];
    Worker workers_[kMostThreads];
    std::atomic<int> started_{0};
    std::atomic<Clock::time_point> retry_{Clock::time_point{}};
    std::mutex starting_;
};

// Made while the library is loaded and never destroyed: threads use it until the process ends.
ThreadPool &pool()
{
    alignas(ThreadPool) static char memory[sizeof(ThreadPool)];
    static ThreadPool *const made = [] {
        ThreadPool *const p = new (memory) ThreadPool;
        // A child of fork() has none of the threads.
        renew_in_children(p, [](void *old) {
            new (old) ThreadPool;
            t_inside = false;
        });
        return p;
    }();
    return *made;
}
ThreadPool &g_pool = pool();
const bool g_is_used = (loop_pool() = &kThreadPool, true);

std::atomic<int> g_left{0};  // processors that are left to others

int default_threads()
{
    static std::atomic<int> processors{0};  // 0: not known yet
    const int left = g_left.load(std::memory_order_relaxed);
    if (left > 0) return own_processors(left);
    int known = processors.load(std::memory_order_relaxed);
    if (known == 0) {
        const int found = own_processors();
        if (processors.compare_exchange_strong(known, found)) known = found;
    }
    return known;
}

}  // namespace

int pool_threads(int wanted)
{
    if (t_inside || (omp_in_parallel && omp_in_parallel())) return 1;
    return std::min(wanted > 0 ? wanted : default_threads(), kMostThreads);
}

void leave_processors(int n)
{
    g_left = n;
}

const PoolTable kThreadPool = {[](int threads, void (*work)(void *, int), void *argument) {
                                   g_pool.run(threads, work, argument);
                               },
                               pool_threads};

}  // namespace g6
