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

TEST(Division, more_work_never_takes_fewer_devices)
{
    for (bool walk : {false, true})
        for (int nj = 1024; nj <= 1 << 22; nj *= 2)
            for (int ni = 16, before = 1; ni <= nj; ni *= 2) {
                const int devices = devices_for({ni, nj, walk}, 16, kFast);
                EXPECT_GE(devices, before) << ni << " " << nj;
                before = devices;
            }
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
    std::array<Account, 4> accounts;
    EXPECT_EQ(devices_that_pay(work, 2, team, [&](int d) -> Account & { return accounts[d]; }), 2);
    EXPECT_DOUBLE_EQ(accounts[1].saved_us, 490);
    // Quicker messages: the devices of this process gain more than those behind them.
    far.bytes_per_us = 14400;
    const Team quick{far, 2, 10};
    EXPECT_EQ(devices_for(work, 4, quick), 4);
    EXPECT_EQ(devices_that_pay(work, 4, quick, [&](int d) -> Account & { return accounts[d]; }), 4);
    EXPECT_DOUBLE_EQ(accounts[1].saved_us, 490 + 490);
    EXPECT_DOUBLE_EQ(accounts[3].saved_us, (510 - (250 + 10 + 2 * (30 + 10 + 2.5) + 3)) / 2);
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

// 1000 i-particles over 1000000 gain 500 - 10 us by a second device.
TEST(Division, a_device_that_lacks_particles_waits_until_blocks_would_have_paid_for_them)
{
    const DeviceSpeed speed{1e6, 10, 0};
    const DivisionWork work{1000, 1000000, false};
    std::array<Account, 2> accounts{};
    const auto account = [&](int d) -> Account & { return accounts[static_cast<size_t>(d)]; };
    EXPECT_EQ(devices_that_pay(work, 2, speed, account), 2);  // it lacks nothing
    accounts[1].catch_up_us = 900;
    EXPECT_EQ(devices_that_pay(work, 2, speed, account), 1);
    EXPECT_DOUBLE_EQ(accounts[1].missed_us, 490);
    EXPECT_EQ(devices_that_pay(work, 1, speed, account), 1);  // a small block gains nothing
    EXPECT_DOUBLE_EQ(accounts[1].missed_us, 490);
    EXPECT_EQ(devices_that_pay(work, 2, speed, account), 2);
    EXPECT_DOUBLE_EQ(accounts[1].missed_us, 0);
}

// Each catching up costs 900 us for a block that gains 490.  The first block, for which the device
// lacked nothing, has saved 490 us.  With 2 % of the 1000 us of each of 101 blocks that pays for
// six such losses.
TEST(Division, a_device_that_saves_nothing_takes_part_rarely)
{
    const DeviceSpeed speed{1e6, 10, 0};
    const DivisionWork work{1000, 1000000, false};
    std::array<Account, 2> accounts{};
    const auto account = [&](int d) -> Account & { return accounts[static_cast<size_t>(d)]; };
    EXPECT_EQ(devices_that_pay(work, 2, speed, account), 2);
    accounts[1].catch_up_us = 900;
    int parts = 0;
    for (int k = 0; k < 100; ++k) parts += devices_that_pay(work, 2, speed, account) == 2;
    EXPECT_EQ(parts, 6);
    accounts[1].catch_up_us = 360;
    EXPECT_EQ(devices_that_pay(work, 2, speed, account), 2);
}

// Sending all j-particles takes as long as 40 blocks save.  So much may be lost once, before the
// device has saved anything.
TEST(Division, a_device_gets_all_particles_once_when_blocks_would_have_paid_for_them)
{
    const DeviceSpeed speed{1e6, 10, 0};
    const DivisionWork work{1000, 1000000, false};
    std::array<Account, 2> accounts{};
    const auto account = [&](int d) -> Account & { return accounts[static_cast<size_t>(d)]; };
    accounts[1].catch_up_us = accounts[1].full_us = 40 * 490;
    for (int block = 1; block < 40; ++block)
        EXPECT_EQ(devices_that_pay(work, 2, speed, account), 1);
    EXPECT_EQ(devices_that_pay(work, 2, speed, account), 2);
}

TEST(Division, devices_behind_one_that_waits_wait_too)
{
    const DeviceSpeed speed{1e6, 10, 0};
    const DivisionWork work{1000, 1000000, false};
    std::array<Account, 4> accounts{};
    accounts[2].catch_up_us = 900;
    const auto account = [&](int d) -> Account & { return accounts[static_cast<size_t>(d)]; };
    // 4 devices gain 1000 - 250 - 30 us together.  Device 2 would lose 900 - 240 us, which is 2 %
    // of the time of 33 blocks.
    for (int block = 1; block < 33; ++block) {
        EXPECT_EQ(devices_that_pay(work, 4, speed, account), 2);
        EXPECT_DOUBLE_EQ(accounts[2].missed_us, 240 * block);
    }
    EXPECT_EQ(devices_that_pay(work, 4, speed, account), 4);
}

// 144 bytes a particle, which the host packs at 8000 bytes a microsecond.
TEST(Division, catching_up_takes_longer_by_messages_and_less_over_a_link)
{
    DeviceSpeed near{1e6, 10, 0}, far = near;
    far.bytes_per_us = 144;
    EXPECT_DOUBLE_EQ(catch_up_time(0, near, true), 0);
    EXPECT_DOUBLE_EQ(catch_up_time(0, far, false), 0);
    EXPECT_DOUBLE_EQ(catch_up_time(1000, near, false), 18);
    EXPECT_DOUBLE_EQ(catch_up_time(1000, far, false), 18 + 1000);
    EXPECT_DOUBLE_EQ(catch_up_time(1000, near, true), kCopyStartUs + 1000 / kCopiedPerUs);
    EXPECT_LT(catch_up_time(50000, near, true), catch_up_time(50000, near, false) / 4);
}

TEST(Division, devices_of_unknown_speed_all_take_part_when_there_is_enough_for_each)
{
    EXPECT_EQ(devices_for({64, 10, false}, 4, {}), 2);
    EXPECT_EQ(devices_for({1000, 10, false}, 4, {}), 4);
}

}  // namespace
}  // namespace g6test
