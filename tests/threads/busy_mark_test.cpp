// SPDX-License-Identifier: MIT
// The mark of an object that one call at a time may use.
#include "libg6gpu/base/busy_mark.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace g6test {
namespace {

TEST(BusyMark, has_one_hold_at_a_time_in_a_thread)
{
    for (const bool may_own : {true, false}) {
        g6::BusyMark mark;
        for (int k = 0; k < 3; ++k) {
            const auto hold = mark.take(may_own);
            EXPECT_TRUE(hold);
            EXPECT_FALSE(mark.take(true));
            EXPECT_FALSE(mark.take(false));
        }
    }
}

TEST(BusyMark, passes_from_thread_to_thread)
{
    g6::BusyMark mark;
    const auto expect_free = [&] {
        for (int k = 0; k < 3; ++k) EXPECT_TRUE(mark.take(true));
    };
    const auto expect_held = [&] { EXPECT_FALSE(mark.take(true)); };
    for (int k = 0; k < 3; ++k) {
        expect_free();
        std::thread(expect_free).join();
        const auto hold = mark.take(true);
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
            if (const auto hold = mark.take(true)) {
                volatile int &shared = value;
                shared = shared + 1;
                raised++;
            }
        return raised;
    }
};

// Threads meet most often as the second one ends the ownership of the first, so that each round has
// a new mark.
TEST(BusyMark, is_never_held_by_two_threads)
{
#ifdef __SANITIZE_THREAD__
    constexpr int kRounds = 200;
#else
    constexpr int kRounds = 1000;
#endif
    constexpr int kThreads = 2, kTimes = 100;
    std::vector<std::unique_ptr<Counter>> counters;
    for (int round = 0; round < kRounds; ++round) counters.push_back(std::make_unique<Counter>());
    std::vector<std::atomic<int>> raised(kRounds), arrived(kRounds);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&] {
            for (int round = 0; round < kRounds; ++round) {
                if (++arrived[round] < kThreads)  // the owner
                    raised[round] += counters[round]->raise(1);
                while (arrived[round] < kThreads) raised[round] += counters[round]->raise(1);
                raised[round] += counters[round]->raise(kTimes);
            }
        });
    for (std::thread &t : threads) t.join();
    for (int round = 0; round < kRounds; ++round) EXPECT_EQ(counters[round]->value, raised[round]);
}

}  // namespace
}  // namespace g6test
