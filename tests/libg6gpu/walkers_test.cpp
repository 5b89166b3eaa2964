// SPDX-License-Identifier: MIT
// Which devices of a set walk together: the choice itself, not the time.
#include "libg6gpu/core/walkers.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using namespace g6;

// One device walks for 1000 i-particles in 3000 us.  A worker costs 10 us and the time of 80 or 36
// bytes for each of them.
DeviceSpeed behind_a_worker(double bytes_per_us)
{
    DeviceSpeed speed{1000, 10, 0};
    speed.round_trip_us = 3;
    speed.bytes_per_us = bytes_per_us;
    return speed;
}
Team team(const DeviceSpeed &speed, int near)
{
    return {speed, near, speed.start_us};
}
constexpr DivisionWork kLarge{1000, 1000000, true, true}, kSmall{10, 1000000, true, true};

TEST(Walkers, of_one_process_are_all_devices)
{
    Walkers walkers;
    for (const DivisionWork &work : {kSmall, kLarge, kSmall})
        EXPECT_EQ(walkers.of(work, 3, team({1000, 10, 0}, 3)), 3);
}

// At 1e6 pairs a microsecond a walk of all of 1000000 bodies takes one device 3000 us, one of
// 100000 bodies 300 us, one of 2000 bodies 4 us.  Two devices share 280 us or more.
TEST(Walkers, of_one_process_are_as_many_as_a_walk_of_all_bodies_takes)
{
    const DeviceSpeed speed{1e6, 10, 140};
    Walkers large, small;
    EXPECT_EQ(large.of({20, 1000000, true}, 2, team(speed, 2)), 2);
    EXPECT_EQ(small.of({20, 20, true}, 2, team(speed, 2)), 1);
    EXPECT_EQ(small.of({2000, 2000, true}, 2, team(speed, 2)), 1);  // it has missed a walk
    small.clear();
    EXPECT_EQ(small.of({100000, 100000, true}, 2, team(speed, 2)), 2);
}

TEST(Walkers, behind_workers_join_where_that_pays)
{
    Walkers walkers;
    EXPECT_EQ(walkers.of(kLarge, 2, team(behind_a_worker(1000), 1)), 2);
    walkers.clear();
    EXPECT_EQ(walkers.of(kLarge, 2, team(behind_a_worker(10), 1)), 1);  // 9800 us of messages
    walkers.clear();
    EXPECT_EQ(walkers.of(kLarge, 4, team(behind_a_worker(10), 2)), 2);  // both of this process
}

// It has missed a walk.
TEST(Walkers, that_were_left_out_stay_out_until_all_devices_are_cleared)
{
    Walkers walkers;
    EXPECT_EQ(walkers.of(kSmall, 2, team(behind_a_worker(1000), 1)), 1);
    EXPECT_EQ(walkers.of(kLarge, 2, team(behind_a_worker(1000), 1)), 1);
    walkers.clear();
    EXPECT_EQ(walkers.of(kLarge, 2, team(behind_a_worker(1000), 1)), 2);
}

// A large walk gains 3000 - 1500 - 3 - 10 - 80 - 18 = 1389 us.  A small one takes 30 us, and costs
// 10.8 us for a worker that only brings its tree up to date.  n of them have used up what the large
// one gained, and 5 % of all time, when 10.8 n - 1389 > 0.05 (3000 + 30 n): n > 165.4.
TEST(Walkers, behind_workers_leave_when_small_walks_have_cost_more_than_large_ones_gained)
{
    Walkers walkers;
    const DeviceSpeed speed = behind_a_worker(1000);
    EXPECT_EQ(walkers.of(kLarge, 2, team(speed, 1)), 2);
    int small = 0;
    while (walkers.of(kSmall, 2, team(speed, 1)) == 2 && small < 1000) ++small;
    EXPECT_EQ(small, 165);
    EXPECT_EQ(walkers.of(kLarge, 2, team(speed, 1)), 1);
}

TEST(Walkers, go_on_without_one_that_is_lost_but_not_without_any)
{
    Walkers walkers;
    EXPECT_TRUE(walkers.outlives(0));  // no walk yet
    EXPECT_EQ(walkers.all(3), 3);
    EXPECT_TRUE(walkers.outlives(0));
    walkers.lose(0);
    walkers.lose(1);
    EXPECT_EQ(walkers.count(), 1);
    EXPECT_FALSE(walkers.outlives(0));
    EXPECT_TRUE(walkers.outlives(1));
}

}  // namespace
}  // namespace g6test
