// SPDX-License-Identifier: MIT
// Values that are made at their first use.
#include "libg6gpu/base/made_once.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <thread>
#include <vector>

namespace g6test {
namespace {

TEST(MadeOnce, all_threads_get_the_same_value)
{
    constexpr int kThreads = 8;
    static g6::MadeOnce<std::vector<int>> place;
    std::atomic<int> waiting{kThreads};
    std::vector<const std::vector<int> *> found(kThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            --waiting;
            while (waiting > 0) std::this_thread::yield();
            found[t] = &place.get([&] { return std::vector<int>(100, t); });
        });
    for (std::thread &t : threads) t.join();
    for (int t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], found[0]);
    EXPECT_EQ(*found[0], std::vector<int>(100, found[0]->front()));
}

TEST(MadeOnce, a_value_that_could_not_be_made_is_made_by_the_next_call)
{
    static g6::MadeOnce<int> place;
    EXPECT_THROW(place.get([]() -> int { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_EQ(place.get([] { return 3; }), 3);
    EXPECT_EQ(place.get([] { return 4; }), 3);
}

// As when a second thread makes the value meanwhile: nobody waits for the first one.
TEST(MadeOnce, the_value_that_is_ready_first_stays)
{
    static g6::MadeOnce<int> place;
    EXPECT_EQ(place.get([] { return place.get([] { return 1; }) + 1; }), 1);
}

}  // namespace
}  // namespace g6test
