// SPDX-License-Identifier: MIT
// Work-group shapes: every row of the table keeps the limits of its device.
#include "backends/opencl/shapes.h"

#include <gtest/gtest.h>

namespace g6::opencl {
namespace {

Hardware gpu(bool nvidia, size_t max_group = 1024, size_t local_bytes = 48 << 10)
{
    Hardware h{};
    h.nvidia = nvidia;
    h.compute_units = 16;
    h.max_group = max_group;
    h.local_bytes = local_bytes;
    return h;
}

constexpr Arithmetic kAll[] = {Arithmetic::kSplit, Arithmetic::kSingle, Arithmetic::kFull};

TEST(Shapes, keep_the_limits_of_the_device)
{
    for (bool nvidia : {false, true})
        for (size_t group : {64, 128, 256, 1024})
            for (size_t local : {12, 16, 32, 48, 64}) {
                const std::vector<Shape> rows = shapes_for(gpu(nvidia, group, local << 10));
                ASSERT_FALSE(rows.empty());
                for (const Shape &s : rows) {
                    EXPECT_LE(static_cast<size_t>(s.lanes()), group);
                    // A batch of tiles in local memory: four planes of 16-byte words at most, two
                    // tiles or one a lane.
                    EXPECT_LE(size_t{16} * 4 * 64 * static_cast<size_t>(std::max(2, s.lanes_j)),
                              local << 10);
                }
            }
}

TEST(Shapes, every_device_has_one_for_few_and_one_for_many)
{
    for (bool nvidia : {false, true})
        for (Arithmetic a : kAll) {
            const std::vector<Shape> rows = shapes_for(gpu(nvidia));
            const auto best = [&](int ni) {
                const auto row = [&](size_t k) { return rows[k].launch(a); };
                return rows[gpu::best_shape(rows.size(), row, {ni, 2048, 16})];
            };
            const Shape few = best(1), many = best(100000);
            EXPECT_LT(few.i_particles(), 64);
            EXPECT_GE(many.i_particles(), 64);
        }
}

TEST(Shapes, can_be_chosen_within_the_limits)
{
    const Hardware h = gpu(false, 256);
    const auto chosen = [&](const char *text) {
        return shapes_for(h, std::string("opencl_shape=") + text);
    };
    const std::vector<Shape> one = chosen("32x4x2");
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].lanes_i, 32);
    EXPECT_EQ(one[0].lanes_j, 4);
    EXPECT_EQ(one[0].per_lane, 2);
    const size_t table = shapes_for(h).size();
    for (const char *bad :
         {"", "wide", "32", "0x1x1", "-1x1x1", "24x1x1", "512x1x1", "8x1x1", "128x1x32", "16x64x1"})
        EXPECT_EQ(chosen(bad).size(), table) << bad;
}

}  // namespace
}  // namespace g6::opencl
