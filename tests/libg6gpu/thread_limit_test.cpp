// SPDX-License-Identifier: MIT
// Fewer threads while loops lose their time, and more again later, by a clock of the test's own.
#include "libg6gpu/base/thread_limit.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using g6::ThreadLimit;

class ThreadLimits : public testing::Test {
protected:
    static constexpr int kThreads = 16;

    int threads()
    {
        return limit.of(kThreads, [&] { return now; });
    }
    // Loops of a millisecond for so many seconds.  late: threads without a processor; share: that of
    // the time which is lost.
    void compute(double seconds, int late, double share)
    {
        constexpr double kLoop = 1e-3;
        for (const double end = now + seconds; now < end;) {
            now += kLoop;
            limit.note(threads(), late, kLoop, share * kLoop, now);
        }
    }
    // Until the threads become fewer.  The window that is under way may have begun with good loops.
    void lose(int late)
    {
        const int before = threads();
        for (int loop = 0; threads() == before && loop < 1000; loop++) compute(1e-3, late, 0.95);
    }

    ThreadLimit limit;
    double now = 1000;
};

TEST_F(ThreadLimits, are_none_where_nothing_is_lost)
{
    compute(1, 0, 0);
    EXPECT_EQ(threads(), kThreads);
}

// Threads that wait for one with more work have their processors.
TEST_F(ThreadLimits, are_none_where_work_is_shared_unevenly)
{
    compute(1, 0, 0.95);
    EXPECT_EQ(threads(), kThreads);
}

// 16 threads that lose half their time are as fast as 8.
TEST_F(ThreadLimits, are_none_where_threads_still_gain)
{
    compute(1, 3, 0.5);
    EXPECT_EQ(threads(), kThreads);
}

TEST_F(ThreadLimits, leave_the_threads_that_have_processors)
{
    compute(ThreadLimit::kWindow, 3, 0.95);
    EXPECT_EQ(threads(), kThreads - 3);
}

TEST_F(ThreadLimits, halve_the_threads_that_lose_time_all_the_same)
{
    for (int expected : {15, 7, 3, 1, 1}) {
        compute(ThreadLimit::kWindow, 1, 0.95);
        EXPECT_EQ(threads(), expected);
    }
}

TEST_F(ThreadLimits, leave_one_thread_at_least)
{
    compute(ThreadLimit::kWindow, kThreads, 0.95);
    EXPECT_EQ(threads(), 1);
    EXPECT_EQ(limit.of(1, [&] { return now; }), 1);
}

TEST_F(ThreadLimits, need_a_window_of_lost_time)
{
    compute(ThreadLimit::kWindow / 2, 1, 1);
    EXPECT_EQ(threads(), kThreads);
}

// 1, 2, 4, 8 and then all.
TEST_F(ThreadLimits, double_with_time_until_all_threads_are_back)
{
    compute(ThreadLimit::kWindow, kThreads, 0.95);
    for (int expected : {1, 2, 4, 8, kThreads, kThreads}) {
        EXPECT_EQ(threads(), expected);
        now += 1.01 * ThreadLimit::kFirstPatience;
    }
}

TEST_F(ThreadLimits, are_tried_ever_more_rarely_where_trials_fail)
{
    double patience = ThreadLimit::kFirstPatience;
    compute(ThreadLimit::kWindow, kThreads - 1, 0.95);
    for (int trial = 0; trial < 10; trial++) {
        ASSERT_EQ(threads(), 1) << trial;
        now += 0.9 * patience;
        ASSERT_EQ(threads(), 1) << trial;
        now += 0.2 * patience;
        ASSERT_EQ(threads(), 2) << trial;
        lose(1);
        patience = std::min(2 * patience, ThreadLimit::kMostPatience);
    }
}

// Processors that are free for some time make the next trial early again.
TEST_F(ThreadLimits, forget_failed_trials_after_a_good_one)
{
    compute(ThreadLimit::kWindow, kThreads - 1, 0.95);
    for (int trial = 0; trial < 4; trial++) {
        now += ThreadLimit::kMostPatience;
        ASSERT_EQ(threads(), 2);
        lose(1);
    }
    for (int expected : {2, 4}) {
        now += ThreadLimit::kMostPatience;
        ASSERT_EQ(threads(), expected);
    }
    for (int expected : {8, kThreads}) {
        now += 1.01 * ThreadLimit::kFirstPatience;
        ASSERT_EQ(threads(), expected);
    }
    compute(1, 0, 0);
    now += ThreadLimit::kMostPatience;
    lose(8);
    ASSERT_EQ(threads(), 8);
    now += 1.01 * ThreadLimit::kFirstPatience;
    EXPECT_EQ(threads(), kThreads);
}

// Of host threads that want different numbers.
TEST_F(ThreadLimits, stay_for_others_when_one_wants_few_threads)
{
    compute(ThreadLimit::kWindow, kThreads, 0.95);
    now += 1.01 * ThreadLimit::kFirstPatience;
    EXPECT_EQ(limit.of(1, [&] { return now; }), 1);
    EXPECT_EQ(threads(), 2);
}

// A loop that began earlier, or has a number of threads of its own.
TEST_F(ThreadLimits, are_not_raised_by_a_larger_loop_that_loses_time)
{
    compute(ThreadLimit::kWindow, 14, 0.95);
    ASSERT_EQ(threads(), 2);
    limit.note(kThreads, 3, 1.1 * ThreadLimit::kWindow, ThreadLimit::kWindow, now);
    EXPECT_LE(threads(), 2);
}

// Loops of 8 ms as they are beside one busy program on 16 processors: all threads enter after 4 ms,
// when one of them has left the loop before, and that one enters after 8 ms.
TEST_F(ThreadLimits, are_lowered_where_loops_lose_time_before_and_after_their_work)
{
    for (int loop = 0; loop < 3; loop++) {
        limit.note(kThreads,
                   {now, now + 0.004, now + 0.0041, 0.004, now + 0.008, now + 0.008, 1, true});
        now += 0.008;
    }
    EXPECT_EQ(threads(), kThreads - 1);
}

TEST_F(ThreadLimits, are_lowered_where_all_threads_enter_late)
{
    for (int loop = 0; loop < 6; loop++) {
        limit.note(kThreads, {now, now + 0.004, now + 0.0041, 0.004, 0, now + 0.0041, 0, false});
        now += 0.0041;
    }
    EXPECT_EQ(threads(), kThreads - 1);
}

TEST_F(ThreadLimits, are_lowered_where_the_callers_thread_wakes_late)
{
    for (int loop = 0; loop < 6; loop++) {
        limit.note(kThreads, {now, now, now + 0.0001, 0, now + 0.0002, now + 0.004, 0, true});
        now += 0.004;
    }
    EXPECT_EQ(threads(), kThreads - 1);
}

TEST_F(ThreadLimits, are_none_where_a_long_loop_has_all_its_threads_at_work)
{
    for (int loop = 0; loop < 6; loop++) {
        limit.note(kThreads, {now, now, now + 0.02, 0, now + 0.02, now + 0.0201, 0, true});
        now += 0.02;
    }
    EXPECT_EQ(threads(), kThreads);
}

TEST_F(ThreadLimits, look_for_processors_only_after_loops_that_took_long)
{
    EXPECT_FALSE(limit.looks());
    limit.note(kThreads, 0, 0.9 * ThreadLimit::kLate, 0, now);
    EXPECT_FALSE(limit.looks());
    limit.note(kThreads, 0, 1.1 * ThreadLimit::kLate, 0, now);
    for (int loop = 0; loop < ThreadLimit::kWatched; loop++) {
        EXPECT_TRUE(limit.looks()) << loop;
        limit.note(kThreads, 0, 0.9 * ThreadLimit::kLate, 0, now);
    }
    EXPECT_FALSE(limit.looks());
}

}  // namespace
}  // namespace g6test
