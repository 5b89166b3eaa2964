// SPDX-License-Identifier: MIT
// How many devices a block takes: the choice itself, not the time.
#include "libg6gpu/core/division.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using namespace g6;

constexpr DeviceSpeed kFast{600000, 15, 100};  // a GPU of 600e9 pairs a second

TEST(Division, small_blocks_take_one_device)
{
    for (int ni : {1, 16, 63})
        for (int nj : {1000, 100000, 100000000})
            EXPECT_EQ(devices_for({ni, nj, false}, 8, kFast), 1);
    EXPECT_EQ(devices_for({256, 16384, false}, 8, kFast), 1);  // 7 us of sums
}

TEST(Division, large_blocks_take_all)
{
    EXPECT_EQ(devices_for({16384, 131072, false}, 2, kFast), 2);
    EXPECT_EQ(devices_for({16384, 1048576, false}, 8, kFast), 8);
    EXPECT_EQ(devices_for({1048576, 1048576, true}, 8, kFast), 8);
}

TEST(Division, no_other_number_is_quicker)
{
    for (int ni : {64, 100, 256, 1024, 16384})
        for (int nj : {4096, 65536, 1048576}) {
            const DivisionWork work{ni, nj, false};
            const int best = devices_for(work, 16, kFast);
            EXPECT_GE(time_of_one(work, kFast), (best > 1 ? best : 0) * kFast.share_us);
            for (int d = 1; d <= 16 && ni / d >= kLeastShare; ++d) {
                if (time_of_one(work, kFast) < d * kFast.share_us) continue;
                EXPECT_LE(block_time(work, best, kFast), block_time(work, d, kFast))
                    << ni << " " << nj;
            }
        }
}

// 1000 i-particles over 1000000: 1000 us on one device of 1e6 pairs a microsecond.
TEST(Division, messages_cost_their_round_trip_and_their_bytes)
{
    const DivisionWork work{1000, 1000000, false};
    const DeviceSpeed near{1e6, 10, 0};
    DeviceSpeed far = near;
    far.round_trip_us = 3;
    far.bytes_per_us = 14400;
    // u = 1000 * 144 / 14400 us, and as much for 72 bytes there and 72 back.
    EXPECT_DOUBLE_EQ(block_time(work, 1, far), 1000);
    EXPECT_DOUBLE_EQ(block_time(work, 1, near), 1000);
    EXPECT_DOUBLE_EQ(block_time(work, 2, near), 500 + 10);
    EXPECT_DOUBLE_EQ(block_time(work, 2, far), 500 + (10 + 10 + 5.0) + 3);
    EXPECT_DOUBLE_EQ(block_time(work, 4, far), 250 + 3 * (10 + 10 + 2.5) + 3);
}

// 1000 us on one device.  Two devices of this process, and others behind messages that make them
// useless.
TEST(Division, messages_to_some_devices_do_not_keep_the_others_idle)
{
    const DivisionWork work{1000, 1000000, false};
    DeviceSpeed far{1e6, 30, 0};
    far.round_trip_us = 3;
    far.bytes_per_us = 144;  // 1000 us for the changed j-particles, and as much for the shares
    const Team team{far, 2, 10};
    EXPECT_DOUBLE_EQ(block_time(work, 2, team), 500 + 10);
    EXPECT_DOUBLE_EQ(block_time(work, 4, team), 250 + 10 + 2 * (30 + 1000 + 250.0) + 3);
    EXPECT_EQ(devices_for(work, 4, team), 2);
    far.bytes_per_us = 14400;
    const Team quick{far, 2, 10};
    EXPECT_EQ(devices_for(work, 4, quick), 4);
}

// 1000 points that walk: 3000 us on one device of 1000 pairs a microsecond.  Each device gets all
// points, 40 bytes of each as j-particle and as i-particle, and sends back its share of 36 bytes
// each.
TEST(Division, walks_send_all_i_particles_to_each_device)
{
    const DivisionWork work{1000, 1000000, true, true};
    DeviceSpeed far{1000, 10, 0};
    far.round_trip_us = 3;
    far.bytes_per_us = 1000;
    EXPECT_DOUBLE_EQ(block_time(work, 1, far), 3000);
    EXPECT_DOUBLE_EQ(block_time(work, 2, far), 1500 + 3 + (10 + 80 + 18.0));
    EXPECT_DOUBLE_EQ(block_time(work, 4, far), 750 + 3 + 3 * (10 + 80 + 9.0));
}

TEST(Division, a_slow_way_to_the_others_keeps_a_block_on_one_device)
{
    DeviceSpeed far = kFast;
    far.round_trip_us = 110;
    far.bytes_per_us = 1e5;
    const DivisionWork work{1024, 131072, false};  // 224 us on one device
    EXPECT_EQ(devices_for(work, 2, kFast), 2);
    EXPECT_EQ(devices_for(work, 2, far), 1);  // 112 + 110 + 8 us on two
    far.round_trip_us = 2;
    EXPECT_EQ(devices_for(work, 2, far), 2);
    far.bytes_per_us = 1000;  // 147 us for the j-particles
    EXPECT_EQ(devices_for(work, 2, far), 1);
}

// 1000 us on one device, 250 us each on four: two of this process and two of workers.  144 bytes of
// each of 1000 changed particles, and 72 bytes there and back for each i-particle of a share.
TEST(Division, what_a_worker_lacks_is_sent_first_and_keeps_it_idle_where_that_takes_longer)
{
    DeviceSpeed far{1e6, 10, 0};
    far.round_trip_us = 3;
    far.bytes_per_us = 14400;
    const Team team{far, 2, 10};
    DivisionWork work{1000, 1000000, false};
    work.lacking = {0, 900000, 2000, 10000};  // the second device is one of this process
    EXPECT_DOUBLE_EQ(block_time(work, 2, team), 500 + 10);
    EXPECT_DOUBLE_EQ(block_time(work, 3, team), 1000 / 3. + 10 + 3 + (10 + 10 + 20 + 10 / 3.));
    EXPECT_DOUBLE_EQ(block_time(work, 4, team),
                     250 + 10 + 3 + 2 * (10 + 10 + 2.5) + (2000 + 10000) / 100.);
    EXPECT_EQ(devices_for(work, 4, team), 3);
    work.lacking = {0, 900000, 100000, 100000};  // 1000 us each
    EXPECT_EQ(devices_for(work, 4, team), 2);
    work.lacking = {0, 900000, 0, 0};
    EXPECT_EQ(devices_for(work, 4, team), 4);
}

TEST(Division, devices_of_unknown_speed_all_take_part_when_there_is_enough_for_each)
{
    EXPECT_EQ(devices_for({64, 10, false}, 4, {}), 2);
    EXPECT_EQ(devices_for({1000, 10, false}, 4, {}), 4);
}

}  // namespace
}  // namespace g6test
