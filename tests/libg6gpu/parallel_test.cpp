// SPDX-License-Identifier: MIT
// Loops on several threads: nothing is left out or done twice, and exceptions come back.
#include "libg6gpu/base/parallel.h"

#include "libg6gpu/base/host_threads.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <numeric>
#include <omp.h>
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
                for (size_t k = first; k < last; ++k) done[k]--;
            });
            EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 0);
            parallel_tasks(threads, n, 3, [&](int k, int) { done[static_cast<size_t>(k)]++; });
            EXPECT_EQ(done, once);
            parallel_shares(threads, n, [&](int k, int) { done[static_cast<size_t>(k)]--; });
            EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 0);
        }
}

TEST(Parallel, no_share_of_several_threads_is_empty)
{
    for (int threads : {2, 5, 16})
        for (int n : {0, 1, 3, 5, 20}) {
            std::atomic<int> done{0}, empty{0};
            parallel_ranges(threads, n, [&](int first, int last) {
                done += last - first;
                if (first >= last) empty++;
            });
            EXPECT_EQ(done, n) << threads << " threads";
            EXPECT_EQ(empty, 0) << threads << " threads, " << n << " iterations";
        }
}

TEST(Parallel, a_thread_begins_with_its_own_share)
{
    constexpr int kThreads = 4, kTasks = 100;
    std::vector<int> first(kThreads, -1);
    std::atomic<int> begun{0};
    parallel_shares(kThreads, kTasks, [&](int k, int thread) {
        if (first[static_cast<size_t>(thread)] >= 0) return;
        first[static_cast<size_t>(thread)] = k;
        begun++;
        while (begun < kThreads) std::this_thread::yield();
    });
    EXPECT_EQ(first, (std::vector<int>{0, 25, 50, 75}));
}

// The first task ends after all others, those of the same share included.
TEST(Parallel, what_a_late_thread_has_not_begun_is_done_by_others)
{
    constexpr int kTasks = 100;
    std::atomic<int> done{0};
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallel_shares(2, kTasks, [&](int k, int) {
        while (k == 0 && done < kTasks - 1 && std::chrono::steady_clock::now() < patience)
            std::this_thread::yield();
        if (k == 0) {
            EXPECT_EQ(done, kTasks - 1);
        }
        done++;
    });
    EXPECT_EQ(done, kTasks);
}

TEST(Parallel, a_task_knows_which_of_the_threads_it_is_on)
{
    std::vector<int> busy(3);
    parallel_tasks(3, 500, 1, [&](int, int thread) {
        // Two tasks of one thread number are never at work together.
        EXPECT_EQ(__atomic_fetch_add(&busy.at(static_cast<size_t>(thread)), 1, __ATOMIC_SEQ_CST),
                  0);
        __atomic_fetch_sub(&busy.at(static_cast<size_t>(thread)), 1, __ATOMIC_SEQ_CST);
    });
}

TEST(Parallel, an_exception_of_any_iteration_reaches_the_caller)
{
    for (int threads : {1, 2, 4})
        for (int at : {0, 50, 99}) {
            const auto fail = [&](int k) {
                if (k == at) throw std::out_of_range("iteration " + std::to_string(k));
            };
            EXPECT_THROW(parallel_for(threads, 100, fail), std::out_of_range);
            EXPECT_THROW(parallel_tasks(threads, 100, 7, [&](int k, int) { fail(k); }),
                         std::out_of_range);
            EXPECT_THROW(parallel_shares(threads, 100, [&](int k, int) { fail(k); }),
                         std::out_of_range);
        }
}

TEST(Parallel, one_of_many_exceptions_reaches_the_caller)
{
    EXPECT_THROW(parallel_tasks(4, 1000, 1, [](int, int) { throw std::bad_alloc(); }),
                 std::bad_alloc);
    int done = 0;
    parallel_for(1, 3, [&](int) { done++; });
    EXPECT_EQ(done, 3);
}

TEST(HostThreads, are_as_many_as_wanted)
{
    for (int n : {1, 2, 3, 1, 3}) EXPECT_EQ(pool_threads(n), n);
    // Fewer than these, where other programs have kept processors busy.
    EXPECT_EQ(pool_threads(0), thread_limit().of(omp_get_max_threads(), seconds_now));
}

TEST(HostThreads, are_one_for_little_work)
{
    EXPECT_EQ(threads_for(199, 100, 2), 1);
    EXPECT_EQ(threads_for(200, 100, 2), 2);
    EXPECT_EQ(host_threads(1, 2), 1);
    EXPECT_EQ(host_threads(1 << 20, 2), 2);
}

TEST(HostThreads, are_one_within_a_parallel_region_of_the_application)
{
    int most = 0;
#pragma omp parallel num_threads(2) reduction(max : most)
    {
        most = pool_threads(4);
        // Numbered from 0, whatever the number of the application's thread.
        parallel_tasks(1, 2, 1, [&](int, int thread) { most = std::max(most, thread + 1); });
    }
    EXPECT_EQ(most, 1);
}

}  // namespace
}  // namespace g6test
