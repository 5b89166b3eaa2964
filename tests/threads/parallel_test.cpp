// SPDX-License-Identifier: MIT
// Loops on several threads: each iteration runs once, and exceptions reach the caller.
#include "libg6gpu/base/parallel.h"

#include "libg6gpu/base/busy_mark.h"
#include "libg6gpu/base/host_threads.h"
#include "libg6gpu/base/processors.h"
#include "libg6gpu/base/thread_pool.h"
#include "tests/client.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace g6test {
namespace {

using namespace g6;

TEST(Parallel, loops_do_every_iteration_once)
{
    for (int threads : {1, 2, 3, 5})
        for (int n : {0, 1, 2, 4, 5, 1000}) {
            SCOPED_TRACE(std::to_string(threads) + " threads, n = " + std::to_string(n));
            std::vector<int> done(static_cast<size_t>(n)), once(done.size(), 1);
            parallel_for(threads, n, [&](int k) { done[static_cast<size_t>(k)]++; });
            EXPECT_EQ(done, once);
            parallel_ranges(threads, done.size(), [&](size_t first, size_t last) {
                EXPECT_TRUE(first < last || threads == 1);  // no share of several is empty
                for (size_t k = first; k < last; ++k) done[k]--;
            });
            EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 0);
            parallel_shares(threads, n, [&](int k, int) { done[static_cast<size_t>(k)]++; });
            EXPECT_EQ(done, once);
        }
}

// The first task ends after all others, those of the same share included.  A thread that was late
// before does not come at once, so that it may take several trials.
TEST(Parallel, what_a_late_thread_has_not_begun_is_done_by_others)
{
    constexpr int kTasks = 100;
    int others_done = 0;
    for (int trial = 0; trial < 40 && others_done < kTasks - 1; trial++) {
        std::atomic<int> done{0};
        const auto patience = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
        parallel_shares(2, kTasks, [&](int k, int) {
            while (k == 0 && done < kTasks - 1 && std::chrono::steady_clock::now() < patience)
                std::this_thread::yield();
            if (k == 0) others_done = done;
            done++;
        });
        EXPECT_EQ(done, kTasks);
    }
    EXPECT_EQ(others_done, kTasks - 1);
}

TEST(Parallel, a_task_knows_which_of_the_threads_it_is_on)
{
    std::vector<int> busy(3);
    parallel_shares(3, 500, [&](int, int thread) {
        // Two tasks of one thread number are never at work together.
        EXPECT_EQ(__atomic_fetch_add(&busy.at(static_cast<size_t>(thread)), 1, __ATOMIC_SEQ_CST),
                  0);
        __atomic_fetch_sub(&busy.at(static_cast<size_t>(thread)), 1, __ATOMIC_SEQ_CST);
    });
}

// There is no int behind the largest one for a counter to stop at.
TEST(Parallel, a_loop_may_have_as_many_iterations_as_there_are_ints)
{
    const char *const all_cases = std::getenv("LONG");
    if (!all_cases || !*all_cases) GTEST_SKIP() << "it takes seconds; make check-long runs it";
    constexpr int kMost = std::numeric_limits<int>::max();
    std::atomic<int> last{0}, wrong{0};
    const auto count = [&](int k, int) {
        if (k == kMost - 1) last++;
        if (k >= 0) return;
        wrong++;
        throw std::out_of_range("ends the loop");
    };
    EXPECT_NO_THROW(parallel_shares(4, kMost, count));
    EXPECT_EQ(last, 1);
    EXPECT_EQ(wrong, 0);
}

TEST(Parallel, an_exception_of_any_iteration_reaches_the_caller)
{
    for (int threads : {1, 2, 4})
        for (int at : {0, 50, 99}) {
            const auto fail = [&](int k) {
                if (k == at) throw std::out_of_range("iteration " + std::to_string(k));
            };
            EXPECT_THROW(parallel_for(threads, 100, fail), std::out_of_range);
            EXPECT_THROW(parallel_shares(threads, 100, [&](int k, int) { fail(k); }),
                         std::out_of_range);
        }
    EXPECT_THROW(parallel_shares(4, 1000, [](int, int) { throw std::bad_alloc(); }),
                 std::bad_alloc);
}

TEST(HostThreads, are_as_many_as_wanted)
{
    for (int n : {1, 2, 3, 1, 3}) EXPECT_EQ(pool_threads(n), n);
    EXPECT_EQ(pool_threads(0), own_processors());
}

TEST(ThreadPool, loops_inside_a_loop_run_on_one_thread)
{
    std::atomic<int> inner{0};
    parallel_shares(3, 30, [&](int, int) {
        EXPECT_EQ(pool_threads(4), 1);
        parallel_shares(4, 10, [&](int, int thread) {
            EXPECT_EQ(thread, 0);
            inner++;
        });
    });
    EXPECT_EQ(inner, 300);
    EXPECT_EQ(pool_threads(4), 4);
}

// The first loop ends only after the second one, and its second share is on the pool's only thread
// that the second loop could have.  A thread that was late before does not come at once.
TEST(ThreadPool, a_loop_waits_for_no_thread_that_is_busy_elsewhere)
{
    bool met = false;
    for (int trial = 0; trial < 40 && !met; trial++) {
        std::atomic<bool> other_is_done{false};
        std::atomic<int> begun{0};
        std::thread first([&] {
            parallel_ranges(2, 2, [&](int, int) {
                begun++;
                while (!other_is_done) std::this_thread::yield();
            });
        });
        const auto patience = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
        while (begun < 2 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
        met = begun == 2;
        int done[2] = {};
        parallel_for(2, 2, [&](int k) { done[k]++; });
        EXPECT_EQ(done[0] + done[1], 2);
        other_is_done = true;
        first.join();
    }
    EXPECT_TRUE(met);
}

// Thread 1 would wake thread 3.  It is late in each first loop, and so rests longer and longer.
TEST(ThreadPool, a_thread_that_rests_keeps_no_other_one_from_a_loop)
{
    const auto rest = [](int milliseconds) {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    };
    std::atomic<unsigned> came{0};
    for (int trial = 0; trial < 20 && came != 0b1101; trial++) {
        parallel_shares(4, 4, [&](int, int thread) { rest(thread == 1 ? 30 : 1); });
        rest(3);  // until all threads sleep
        came = 0;
        parallel_shares(4, 4, [&](int, int thread) { came |= 1u << thread, rest(5); });
    }
    EXPECT_EQ(came, 0b1101u);
}

TEST(ThreadPool, serves_many_callers_at_once)
{
    constexpr int kCallers = 12, kLoops = 300;  // more callers than open loops
    std::vector<int> wrong(kCallers);
    at_once(kCallers, [&wrong](int c) {
        std::vector<int> done(100);
        for (int k = 0; k < kLoops; k++)
            parallel_for(1 + k % 5, 100, [&](int i) { done[size_t(i)]++; });
        wrong[size_t(c)] =
            int(std::count_if(done.begin(), done.end(), [](int n) { return n != kLoops; }));
    });
    EXPECT_EQ(wrong, std::vector<int>(kCallers));
}

// ---- the mark of an object that one call at a time may use

// A counter that the threads raise without a lock while they hold the mark.
struct Counter {
    g6::BusyMark mark;
    int value = 0;

    // Number of times that the mark was free.
    int raise(int times)
    {
        int raised = 0;
        for (int k = 0; k < times; ++k)
            if (const auto hold = mark.take()) {
                volatile int &shared = value;
                shared = shared + 1;
                raised++;
            }
        return raised;
    }
};

TEST(BusyMark, is_never_held_by_two_threads)
{
    constexpr int kThreads = 2, kTimes = 100000;
    Counter counter;
    std::atomic<int> raised{0};
    at_once(kThreads, [&](int) { raised += counter.raise(kTimes); });
    EXPECT_EQ(counter.value, raised);
}

}  // namespace
}  // namespace g6test
