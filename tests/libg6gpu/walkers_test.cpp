// SPDX-License-Identifier: MIT
// Which devices of a set walk together: the choice itself, not the time.
#include "libg6gpu/core/walkers.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using namespace g6;

Team team(const DeviceSpeed &speed, int near)
{
    return {speed, near, speed.start_us};
}

// At 1e6 pairs a microsecond a walk of all of 1000000 bodies takes one device 3000 us, one of
// 100000 bodies 300 us, one of 2000 bodies 4 us.  Two devices share 280 us or more.
TEST(Walkers, are_as_many_as_a_walk_of_all_bodies_takes)
{
    const DeviceSpeed speed{1e6, 10, 140};
    Walkers large, small;
    EXPECT_EQ(large.of(1000000, true, 2, team(speed, 2)), 2);
    EXPECT_EQ(small.of(2000, true, 2, team(speed, 2)), 1);
    EXPECT_EQ(small.of(100000, true, 2, team(speed, 2)), 1);  // it has missed a walk
    small.clear();
    EXPECT_EQ(small.of(100000, true, 2, team(speed, 2)), 2);
    EXPECT_EQ(small.of(2000, true, 2, team(speed, 2)), 2);
}

// One device walks for 1000000 points in 3e6 us.  A worker has to get 80 bytes for each point, and
// sends 36 back for each of its half: 98000 us at 1000 bytes a microsecond.
TEST(Walkers, behind_workers_join_where_messages_are_quick_enough)
{
    DeviceSpeed speed{1000, 10, 0};
    speed.round_trip_us = 3;
    speed.bytes_per_us = 1000;
    Walkers walkers;
    EXPECT_EQ(walkers.of(1000000, true, 2, team(speed, 1)), 2);
    speed.bytes_per_us = 50;  // 1960000 us of messages, and 1500000 us that a second device saves
    walkers.clear();
    EXPECT_EQ(walkers.of(1000000, true, 2, team(speed, 1)), 1);
    walkers.clear();
    EXPECT_EQ(walkers.of(1000000, true, 4, team(speed, 2)), 2);  // both of this process
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
