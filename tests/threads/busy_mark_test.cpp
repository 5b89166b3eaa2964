// SPDX-License-Identifier: MIT
// The mark of an object that one call at a time may use.
#include "libg6gpu/base/busy_mark.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace g6test {
namespace {

TEST(BusyMark, has_one_hold_at_a_time_in_a_thread)
{
    g6::BusyMark mark;
    for (int k = 0; k < 3; ++k) {
        const auto hold = mark.take();
        EXPECT_TRUE(hold);
        EXPECT_FALSE(mark.take());
    }
}

TEST(BusyMark, passes_from_thread_to_thread)
{
    g6::BusyMark mark;
    const auto expect_free = [&] {
        for (int k = 0; k < 3; ++k) EXPECT_TRUE(mark.take());
    };
    const auto expect_held = [&] { EXPECT_FALSE(mark.take()); };
    for (int k = 0; k < 3; ++k) {
        expect_free();
        std::thread(expect_free).join();
        const auto hold = mark.take();
        EXPECT_TRUE(hold);
        std::thread(expect_held).join();
    }
}

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
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] { raised += counter.raise(kTimes); });
    for (std::thread &t : threads) t.join();
    EXPECT_EQ(counter.value, raised);
}

}  // namespace
}  // namespace g6test
