// SPDX-License-Identifier: MIT
// The tuner of group sizes finds the least time, in a bounded number of trials.
#include "libg6gpu/tree/tuner.h"

#include <gtest/gtest.h>
#include <map>

namespace g6 {
namespace {

// Walks with the sizes that the tuner chooses; returns how often each was taken.
template <class Time>
std::map<int, int> walks(GroupTuner &tuner, int n, int ni, int guess, Time &&time)
{
    std::map<int, int> taken;
    for (int k = 0; k < n; k++) {
        const int size = tuner.choose(ni, 1 << 20, guess);
        tuner.took(time(size));
        taken[size]++;
    }
    return taken;
}

TEST(GroupTuner, finds_the_least_time_from_any_guess)
{
    for (int best = 1; best <= 64; best *= 2)
        for (int guess = 1; guess <= 64; guess *= 2) {
            GroupTuner tuner;
            const auto time = [&](int size) { return 1 + std::fabs(std::log2(1.0 * size / best)); };
            const auto taken = walks(tuner, 100, 1000, guess, time);
            EXPECT_GE(taken.at(best), 100 - 6 * GroupTuner::kTrials) << best << " from " << guess;
            for (const auto &[size, times] : taken) {
                if (size == best) continue;
                EXPECT_EQ(times, GroupTuner::kTrials) << size;
            }
        }
}

TEST(GroupTuner, a_good_guess_costs_its_two_neighbours_trials)
{
    GroupTuner tuner;
    const auto taken = walks(tuner, 50, 1000, 16, [](int size) { return size == 16 ? 1 : 2; });
    EXPECT_EQ(taken, (std::map<int, int>{{8, 3}, {16, 44}, {32, 3}}));
}

TEST(GroupTuner, one_slow_walk_among_three_is_no_verdict)
{
    for (int slow : {0, 1, 2}) {
        GroupTuner tuner;
        int calls = 0;
        const auto taken = walks(tuner, 50, 1000, 16, [&](int size) {
            return calls++ % 3 == slow ? 100.0 : size == 16 ? 1 : 2;
        });
        EXPECT_EQ(taken.at(16), 44) << slow;
    }
}

TEST(GroupTuner, blocks_of_other_sizes_are_tuned_apart)
{
    GroupTuner tuner;
    const auto few = [](int size) { return size == 4 ? 1 : 2; };
    const auto many = [](int size) { return size == 64 ? 1 : 2; };
    for (int round = 0; round < 20; round++) {
        walks(tuner, 1, 100, 4, few);
        walks(tuner, 1, 100000, 32, many);
    }
    EXPECT_EQ(tuner.choose(120, 1 << 20, 4), 4);
    EXPECT_EQ(tuner.choose(130000, 1 << 20, 32), 64);
    EXPECT_EQ(tuner.choose(120, 1 << 22, 2), 2);  // other j-particles: from the start
}

TEST(GroupTuner, a_walk_that_nobody_waited_for_counts_nothing)
{
    GroupTuner tuner;
    for (int k = 0; k < 10; k++) EXPECT_EQ(tuner.choose(100, 1 << 20, 8), 8);
    tuner.took(1);
    tuner.took(1e-9);  // no walk
    EXPECT_EQ(tuner.choose(100, 1 << 20, 8), 8);
}

}  // namespace
}  // namespace g6
