// SPDX-License-Identifier: MIT
// The block scheduler: levels, the rule for new steps, and blocks as a plain search finds them.
#include "tools/g6run/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace {

using g6run::is_multiple_of;
using g6run::multiples_in;
using g6run::Schedule;

TEST(Powers, AreRecognised)
{
    EXPECT_EQ(g6run::power_of_two_below(0.1), 0.0625);
    EXPECT_EQ(g6run::power_of_two_below(0.25), 0.25);
    EXPECT_TRUE(is_multiple_of(0.75, 0.25));
    EXPECT_TRUE(is_multiple_of(-0.75, 0.25));
    EXPECT_FALSE(is_multiple_of(0.75, 0.5));
    EXPECT_FALSE(is_multiple_of(0.1, 0x1p-20));
}

// 0.1 * 3 is not 0.3 in doubles: a multiple is the rounded product.
TEST(Multiples, AreCountedToTheLastOne)
{
    EXPECT_TRUE(is_multiple_of(3 * 0.1, 0.1));
    EXPECT_FALSE(is_multiple_of(0.3, 0.1));
    std::mt19937_64 bits(2);
    for (double step : {0.1, 1.0 / 3, 67.07, 1e-30}) {
        for (int n = 0; n < 200; n++) {
            const auto count = static_cast<double>(bits() >> (13 + n % 50));
            EXPECT_EQ(multiples_in(count * step, step), count) << step;
            EXPECT_EQ(multiples_in(-count * step, step), -count) << step;
        }
        EXPECT_EQ(multiples_in(2.25 * step, step), 2);
    }
}

TEST(Schedule, LevelIsTheLargestStepNotAbove)
{
    const Schedule s(0.125, 0x1p-10, 0);  // levels 0 ... 7
    EXPECT_EQ(s.levels(), 8);
    EXPECT_EQ(s.level_of(1), 0);
    EXPECT_EQ(s.level_of(HUGE_VAL), 0);
    EXPECT_EQ(s.level_of(0.125), 0);
    EXPECT_EQ(s.level_of(0.1249), 1);
    EXPECT_EQ(s.level_of(0.0625), 1);
    EXPECT_EQ(s.level_of(0.06), 2);
    EXPECT_EQ(s.level_of(1e-9), 7);
    EXPECT_EQ(s.level_of(5e-324), 7);
    EXPECT_EQ(s.level_of(0), 7);
    EXPECT_EQ(s.step(3), 0x1p-6);
    const Schedule other(0.1, 0.1 / 128, 0);
    EXPECT_EQ(other.levels(), 8);
    EXPECT_EQ(other.level_of(0.0625), 1);  // 0.05
    EXPECT_EQ(other.level_of(0.0499), 2);
    EXPECT_EQ(other.level_of(0.0125), 3);
    for (int level = 0; level < 8; level++) EXPECT_EQ(other.level_of(other.step(level)), level);
}

TEST(Schedule, TellsWhetherABlockHasTheShortestStep)
{
    Schedule s(1, 0.25, 0);
    s.insert(1, 1);
    for (const int level : {2, 2, 1}) {
        s.insert(0, level);
        s.take_block();
        EXPECT_EQ(s.took_shortest(), level == 2);
    }
}

TEST(Schedule, StepsHalveFreelyAndDoubleWhenCommensurate)
{
    Schedule s(1, 0x1p-10, 0.25);
    EXPECT_EQ(s.next_level(2, 0x1p-8), 8);  // any number of halvings
    EXPECT_EQ(s.next_level(4, 1), 3);       // 0.25 is a multiple of 1/8: one doubling, not four
    EXPECT_EQ(s.next_level(3, 1), 2);       // ... and of 1/4
    EXPECT_EQ(s.next_level(2, 1), 2);       // but not of 1/2
    EXPECT_EQ(s.next_level(2, 0.25), 2);
    EXPECT_EQ(s.next_level(0, 4), 0);
}

TEST(Schedule, GoesOnFromAnyTime)
{
    Schedule s(0.5, 0x1p-6, 0.40625);  // 13/32
    s.insert(0, 0);
    s.insert(1, 2);  // steps of 1/8: due at 4/8
    EXPECT_EQ(s.next_time(), 0.5);
    EXPECT_EQ(s.take_block(), (g6run::Numbers<int>{0, 1}));
    Schedule below(0.5, 0x1p-6, -0.40625);
    below.insert(0, 0);
    EXPECT_EQ(below.next_time(), 0);
    below.insert(1, 2);
    EXPECT_EQ(below.next_time(), -0.375);
}

TEST(Schedule, KnowsTheStepsThatHoldItsTime)
{
    const Schedule s(0.1, 0.1 / 64, 13 * (0.1 / 64));
    EXPECT_TRUE(s.spans_time(0, 0.1));
    EXPECT_TRUE(s.spans_time(12 * (0.1 / 64), 0.1 / 16));
    EXPECT_TRUE(s.spans_time(13 * (0.1 / 64), 0.1 / 64));
    EXPECT_FALSE(s.spans_time(13 * (0.1 / 64), 0.1 / 16));  // off the grid
    EXPECT_FALSE(s.spans_time(12 * (0.1 / 64), 0.1 / 64));  // over
    EXPECT_FALSE(s.spans_time(14 * (0.1 / 64), 0.1 / 64));  // not begun
    EXPECT_FALSE(s.spans_time(0, 0.11));
    EXPECT_FALSE(s.spans_time(0, 0.1 / 128));  // below the shortest
}

// Times below zero too, and steps of any size: the oracle counts in whole numbers.
TEST(Schedule, TimesOfAnyStepAreExactCounts)
{
    for (double dt_max : {0.125, 0.1, 1.0 / 3, 67.07}) {
        constexpr long kTicks = 1 << 10;  // of dt_max
        constexpr int kParticles = 50;
        const double tick = dt_max / kTicks;
        std::mt19937_64 bits(3);
        Schedule s(dt_max, tick, -2 * dt_max);
        std::vector<long> t(kParticles, -2 * kTicks), dt(kParticles);
        for (int k = 0; k < kParticles; k++) {
            const int level = static_cast<int>(bits() % 11);
            dt[k] = kTicks >> level;
            s.insert(k, level);
        }
        for (int step = 0; step < 2000; step++) {
            long next = t[0] + dt[0];
            for (int k = 0; k < kParticles; k++) next = std::min(next, t[k] + dt[k]);
            g6run::Numbers<int> expected;
            for (int k = 0; k < kParticles; k++)
                if (t[k] + dt[k] == next) expected.push_back(k);
            ASSERT_EQ(s.take_block(), expected) << dt_max << " at " << next;
            ASSERT_EQ(s.time(), static_cast<double>(next) * tick);
            for (int k : expected) {
                const double wanted = std::ldexp(dt_max, -static_cast<int>(bits() % 11));
                const int level =
                    s.next_level(s.level_of(static_cast<double>(dt[k]) * tick), wanted);
                t[k] = next;
                dt[k] = kTicks >> level;
                ASSERT_EQ(next % dt[k], 0);
                s.insert(k, level);
            }
        }
    }
}

// Large blocks are put together and taken apart by several threads.
TEST(Schedule, LargeBlocksHaveAllThatAreDueInOrder)
{
    constexpr int kParticles = 100000, kTicks = 16;  // of dt_max
    std::mt19937_64 bits(4);
    const auto some_level = [&] { return static_cast<int>(bits() % 5); };
    Schedule s(1, 1.0 / kTicks, 0);
    g6run::Numbers<int> all(kParticles), level(kParticles), next(kParticles);
    for (int k = 0; k < kParticles; k++) {
        all[k] = k;
        // Some parts of the numbers are on one level alone.
        level[k] = k / 1000 % 3 ? some_level() : 4;
        next[k] = kTicks >> level[k];
    }
    s.insert(all, level);
    for (int now = 1; now <= 2 * kTicks; now++) {
        g6run::Numbers<int> due;
        for (int k = 0; k < kParticles; k++)
            if (next[k] == now) due.push_back(k);
        if (due.empty()) continue;
        const g6run::Numbers<int> block = s.take_block();
        ASSERT_EQ(s.time(), now * (1.0 / kTicks));
        ASSERT_TRUE(block == due) << "at " << now;
        g6run::Numbers<int> levels;
        for (const int k : block) {
            levels.push_back(s.next_level(level[k], 1.0 / (1 << some_level())));
            level[k] = levels.back();
            next[k] = now + (kTicks >> level[k]);
        }
        s.insert(block, levels);
    }
}

}  // namespace
