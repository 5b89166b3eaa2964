// SPDX-License-Identifier: MIT
// Launch plans of the GPU backends, on devices of several sizes: what they must be follows from the
// numbers of groups that fit side by side.
#include "backends/gpu/launch_plan.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace g6::gpu {
namespace {

constexpr LaunchShape kOne = {32, 4, 1, 5, 1.0};   // 32 i-particles a group
constexpr LaunchShape kTwo = {128, 1, 2, 4, 1.0};  // 256
constexpr int kNumbers[] = {1, 2, 31, 32, 33, 1000, 4095, 4096, 100000, 8388608, 0x7fffff00};
constexpr int kUnits[] = {1, 16, 132};

size_t best_of(const std::vector<LaunchShape> &shapes, const LaunchWork &work)
{
    return best_shape(
        shapes.size(), [&](size_t k) { return shapes[k]; }, work);
}

TEST(LaunchPlan, tiles_cover_the_slots)
{
    EXPECT_EQ(tiles_of(1), 1);
    EXPECT_EQ(tiles_of(kTile), 1);
    EXPECT_EQ(tiles_of(kTile + 1), 2);
}

TEST(LaunchPlan, i_tiles_cover_the_i_particles)
{
    for (int ni : kNumbers) {
        const long long tiles = kTwo.i_tiles(ni);
        EXPECT_GE(tiles * 256, ni);
        EXPECT_LT((tiles - 1) * 256, ni);
    }
}

TEST(LaunchPlan, a_shape_without_a_rate_is_never_taken)
{
    const LaunchShape none = {128, 1, 1, 4, 0.0};
    for (int ni : kNumbers) {
        EXPECT_EQ(best_of({kOne, none}, {ni, 1000, 132}), 0u);
        EXPECT_EQ(best_of({kOne, none, kTwo}, {ni, 1000, 132}),
                  best_of({kOne, kTwo}, {ni, 1000, 132}) * 2);
    }
}

TEST(LaunchPlan, every_slice_has_two_tiles_and_one_for_each_lane)
{
    for (const LaunchShape &s : {kOne, kTwo})
        for (int ni : kNumbers)
            for (int nj : kNumbers)
                for (int units : kUnits)
                    for (int wanted : {0, 1, 7, 1 << 30}) {
                        const int tiles = tiles_of(nj),
                                  slices = best_slices(s, {ni, tiles, units}, wanted);
                        ASSERT_GE(slices, 1);
                        ASSERT_LE(slices, 65535);
                        const int least = slices > 1 ? std::max(2, s.lanes_j) : 1;
                        ASSERT_GE(tiles / slices, least) << ni << " " << nj;
                    }
}

TEST(LaunchPlan, few_i_particles_fill_the_device_in_one_wave)
{
    // 132 units run 660 groups of kOne; 100 i-particles make 4 i-tiles: 165 slices.
    EXPECT_EQ(best_slices(kOne, {100, 3900, 132}), 165);
    // 97 i-particles make 4 i-tiles too, 129 make 5: 132 slices.
    EXPECT_EQ(best_slices(kOne, {97, 3900, 132}), 165);
    EXPECT_EQ(best_slices(kOne, {129, 3100, 132}), 132);
    for (int ni = 1; ni < kManyI; ni += 37) {
        const int tiles = 15000 / kOne.i_tiles(ni);  // short slices
        const int groups = best_slices(kOne, {ni, tiles, 132}) * kOne.i_tiles(ni);
        EXPECT_LE(groups, 660) << ni;
        EXPECT_GT(groups, 660 - kOne.i_tiles(ni)) << ni;
    }
}

// For devices that share the block: twice the waves when the slices of twice as many are long.
TEST(LaunchPlan, few_i_particles_with_many_j_particles_take_more_waves)
{
    const auto waves = [](int tiles) { return best_slices(kOne, {100, tiles, 132}) / 165; };
    EXPECT_EQ(waves(165 * 2 * kLongSlice - 1), 1);
    EXPECT_EQ(waves(165 * 2 * kLongSlice), 2);
    EXPECT_EQ(waves(165 * 4 * kLongSlice - 1), 2);
    EXPECT_EQ(waves(165 * 4 * kLongSlice), 4);
    EXPECT_EQ(waves(165 * 8 * kLongSlice), 8);
    EXPECT_EQ(waves(1 << 24), 8);
}

// With up to 235 i-tiles and 1024 tiles the ideal has fewer than kManyWaves waves.
TEST(LaunchPlan, many_i_particles_leave_less_of_the_last_wave_empty_than_one_wave_would)
{
    const auto use = [](int groups, int at_once) {
        const int waves = (groups - 1) / at_once + 1;
        return static_cast<double>(groups) / (waves * at_once);
    };
    for (int ni = kManyI; ni < 60000; ni += 997) {
        const LaunchWork work = {ni, 1 << 10, 132};
        const int at_once = 132 * kTwo.resident, i_tiles = kTwo.i_tiles(ni);
        const int slices = best_slices(kTwo, work), one_wave = at_once / i_tiles;
        EXPECT_LE(slices * i_tiles, 6 * at_once);
        EXPECT_GE(use(slices * i_tiles, at_once), use(one_wave * i_tiles, at_once) - 0.05) << ni;
    }
    // 20 i-tiles on 528 places: in w waves w 528 / 20 slices, rounded down, which fill
    //   520/528 1040/1056 1580/1584 2100/2112 2640/2640 3160/3168
    // of the places.  With 5 waves a slice has 125 tiles or one less, and with 6 it has 104 or one
    // less, on average 124.1 and 103.7.  Less 0.05 / w,
    //   124.1 / 125 - 0.01 = 0.983    3160 / 3168 x 103.7 / 104 - 0.0083 = 0.986
    EXPECT_EQ(best_slices(kTwo, {20 * 256, 1 << 14, 132}), 158);
}

// With 64 i-tiles and 66 slices each of 132 units gets 32 groups of 4 x 8 that it runs at once: 8
// waves, none of which is partly empty.
TEST(LaunchPlan, slices_cost_what_the_parts_of_their_cost_add_up_to)
{
    const LaunchWork work = {64 * 256, 1 << 14, 132};
    EXPECT_DOUBLE_EQ(cost_of_slices(kTwo, work, 66), 3 * 66 / 16384.0 + 0.08 / 8);
    // 33 i-tiles and 10 slices: 2.5 groups each, of which some units get 3.
    EXPECT_DOUBLE_EQ(cost_of_slices(kTwo, {33 * 256, 1 << 14, 132}, 10),
                     30 / 16384.0 + 0.08 * 4 / 2.5 + 0.8 * 0.2);
}

// Compared with all numbers of slices up to 512, which is beyond the best of them.
TEST(LaunchPlan, long_sums_take_the_slices_that_cost_least)
{
    const auto cost = [](int i_tiles, int tiles, int slices) {
        const double groups = 1.0 * slices * i_tiles, each = groups / 132;
        return 3.0 * slices / tiles + 0.08 * 132 * kTwo.resident / groups +
               0.8 * (std::ceil(each) - each) / each;
    };
    for (int i_tiles : {64, 100, 239}) {
        for (int tiles : {1 << 14, 1 << 15}) {
            const int slices = best_slices(kTwo, {i_tiles * 256, tiles, 132});
            EXPECT_GE(slices * i_tiles, 5 * 132 * kTwo.resident);
            double least = HUGE_VAL;
            for (int s = 1; s <= 512; s++) least = std::min(least, cost(i_tiles, tiles, s));
            EXPECT_LE(cost(i_tiles, tiles, slices), least + 1e-12) << i_tiles << " " << tiles;
        }
    }
}

// 68 bytes for each slice of an i-particle: no more than 290 MB, unless one slice takes more.
TEST(LaunchPlan, many_waves_do_not_ask_for_much_memory)
{
    for (int ni : {1 << 18, 1 << 20, 1 << 22, 1 << 24}) {
        const int slices = best_slices(kTwo, {ni, 1 << 18, 132});
        EXPECT_TRUE(slices == 1 || 68.0 * slices * ni < 290e6) << ni << " " << slices;
        if (ni <= 1 << 20) {
            EXPECT_GT(slices, 1);
        }
    }
}

// The device runs 2432 groups at once; one slice makes 8.
TEST(LaunchPlan, a_block_that_cannot_fill_the_device_takes_all_slices)
{
    const LaunchShape wide = {128, 1, 4, 8, 1.0};  // 512 i-particles
    EXPECT_EQ(best_slices(wide, {kManyI, 4, 304}), 2);
    EXPECT_EQ(best_slices(wide, {kManyI, 7, 304}), 3);
}

// Slices of whole units: the longest slice has little more than the mean.
TEST(LaunchPlan, slices_have_nearly_the_same_number_of_units)
{
    const LaunchShape units = {128, 1, 1, 3, 1.0, 3};
    for (int ni = kManyI; ni < 60000; ni += 997) {
        const int slices = best_slices(units, {ni, 2048, 132});
        const double mean = 683.0 / slices;  // 2048 / 3, rounded up
        EXPECT_LE(std::ceil(mean), 1.04 * mean) << ni;
    }
    EXPECT_EQ(units.most_slices(2048), 682);
    EXPECT_EQ(units.most_slices(2), 1);
}

TEST(LaunchPlan, a_developers_slices_are_taken_within_the_limits)
{
    EXPECT_EQ(best_slices(kTwo, {1000, 100, 132}, 7), 7);
    EXPECT_EQ(best_slices(kTwo, {1000, 100, 132}, 1000), 50);
}

TEST(LaunchPlan, the_faster_of_two_shapes_that_fill_the_device_serves)
{
    const LaunchWork work = {256 * 1000, 1 << 14, 132};
    LaunchShape faster = kTwo;
    faster.rate = 1.1;
    EXPECT_EQ(best_of({kTwo, faster}, work), 1u);
    EXPECT_EQ(best_of({faster, kTwo}, work), 0u);
}

TEST(LaunchPlan, few_i_particles_take_the_shape_that_wastes_no_lanes)
{
    EXPECT_EQ(best_of({kOne, kTwo}, {20, 1 << 14, 132}), 0u);
    EXPECT_EQ(best_of({kTwo, kOne}, {20, 1 << 14, 132}), 1u);
}

// With few j-particles there are few slices: the shape with more groups has the device busier.
TEST(LaunchPlan, a_shape_that_fills_more_of_the_device_serves)
{
    EXPECT_EQ(best_of({kOne, kTwo}, {2048, 4, 132}), 0u);
}

TEST(LaunchPlan, groups_of_one_warp_do_not_serve_many_i_particles)
{
    const LaunchShape warp = {32, 1, 2, 16, 2.0};
    EXPECT_EQ(best_of({kOne, warp}, {kManyI - 1, 1 << 14, 132}), 1u);
    EXPECT_EQ(best_of({kOne, warp}, {kManyI, 1 << 14, 132}), 0u);
    EXPECT_EQ(best_of({warp}, {kManyI, 1 << 14, 132}), 0u) << "the only shape";
}

TEST(LaunchPlan, walks_are_shared_where_there_are_enough_of_them)
{
    // 2112 walks of 64 are 135168 i-particles.
    EXPECT_EQ(walk_group_size(135168, 135168, 64, 2112), 64);
    EXPECT_EQ(walk_group_size(135167, 135167, 64, 2112), 32);
    EXPECT_EQ(walk_group_size(1, 1000, 64, 2112), 1);
}

TEST(LaunchPlan, sparse_i_particles_walk_in_smaller_groups)
{
    // One of 16 bodies: 512 / 16 = 32 together.
    EXPECT_EQ(walk_group_size(1 << 20, 1 << 24, 64, 100), 32);
    EXPECT_EQ(walk_group_size(1 << 20, 1 << 23, 64, 100), 64);
}

}  // namespace
}  // namespace g6::gpu
