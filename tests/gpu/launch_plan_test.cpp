// SPDX-License-Identifier: MIT
// Launch plans of the GPU backends on devices of several sizes; the expected plans follow from the
// number of groups that a device runs at once.  Also when direct sums are computed on tensor cores.
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

TEST(TensorPlan, more_pairs_than_an_int_holds_pay)
{
    EXPECT_TRUE(pays_on_tensors(0x7fffffff, 1 << 24, false));
}

TEST(TensorPlan, clumps_never_pay)
{
    EXPECT_FALSE(pays_on_tensors(1 << 20, 1 << 20, true));
}

}  // namespace
}  // namespace g6::gpu
