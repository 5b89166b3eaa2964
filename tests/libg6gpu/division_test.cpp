// SPDX-License-Identifier: MIT
// How many devices a block takes: the choice itself, not the time.
#include "libg6gpu/core/division.h"

#include <gtest/gtest.h>

#include <array>

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

class Lacking : public testing::Test {
protected:
    // 1000 i-particles over 1000000 are 1000 us on one device.  Starting one more takes 10 us.
    const DeviceSpeed speed{1e6, 10, 0};
    const DivisionWork work{1000, 1000000, false};
    std::array<double, 4> cost{}, allowance{};
    int devices_of(int most)
    {
        return devices_that_pay(
            work, most, speed, [&](int d) { return cost[static_cast<size_t>(d)]; },
            [&](int d) -> double & { return allowance[static_cast<size_t>(d)]; });
    }
};

// The second device saves 500 - 10 us.
TEST_F(Lacking, a_device_takes_part_where_one_block_pays_for_what_it_lacks)
{
    for (double us : {0.0, 490.0, 587.0}) {  // a fifth of 490 is allowed beside 490
        cost[1] = us, allowance[1] = 0;
        EXPECT_EQ(devices_of(2), 2) << us;
    }
    cost[1] = 589, allowance[1] = 0;
    EXPECT_EQ(devices_of(2), 1);
    EXPECT_EQ(devices_of(1), 1);  // a block for one device allows nothing
    EXPECT_DOUBLE_EQ(allowance[1], 98);
}

// Each block that the device takes part in loses 980 - 490 us, which is a fifth of what five save.
TEST_F(Lacking, a_device_that_saves_nothing_takes_part_in_one_block_of_five)
{
    cost[1] = 980;
    allowance[1] = 1e-9;  // of roundings
    for (int block = 1; block <= 100; ++block)
        EXPECT_EQ(devices_of(2), block % 5 == 0 ? 2 : 1) << block;
}

TEST(Division, devices_of_unknown_speed_all_take_part_when_there_is_enough_for_each)
{
    EXPECT_EQ(devices_for({64, 10, false}, 4, {}), 2);
    EXPECT_EQ(devices_for({1000, 10, false}, 4, {}), 4);
}

}  // namespace
}  // namespace g6test
