// SPDX-License-Identifier: MIT
// Slices of neighbour lists: they cover the slots once, and none of their counts overflows.
#include "backends/gpu/list_plan.h"

#include <gtest/gtest.h>

namespace g6::gpu {
namespace {

// A large GPU, a small one, and a processor of two cores.
constexpr ListShape kShapes[] = {{128, 256, 1, 4, 2112}, {16, 32, 1, 4, 16}, {1, 256, 32, 32, 16}};
constexpr int kNumbers[] = {1,       2,       31,        64,      4095,           4096,      4097,
                            1000000, 8388608, 500000000, 1 << 30, 0x7fffff00 - 1, 0x7fffff00};

template <class F> void for_all(F &&f)
{
    for (const ListShape &shape : kShapes)
        for (int ni : kNumbers)
            for (int nj : kNumbers) {
                SCOPED_TRACE(testing::Message() << ni << " of " << nj << ", " << shape.lanes);
                f(list_plan(ni, nj, shape), shape, ni, nj);
            }
}

TEST(ListPlan, covers_every_pair_once)
{
    for_all([](const ListPlan &p, const ListShape &shape, int ni, int nj) {
        EXPECT_GT(p.length, 0);
        EXPECT_EQ(p.length % shape.batch, 0);
        EXPECT_GE(static_cast<long long>(p.slices) * p.length, nj);
        EXPECT_LT(static_cast<long long>(p.slices - 1) * p.length, nj);
        const long long of_group = 1LL * shape.lanes * p.per_lane;
        EXPECT_GE(p.groups * of_group, ni);
        EXPECT_LT((p.groups - 1) * of_group, ni);
    });
}

TEST(ListPlan, stays_within_a_grid_and_within_memory)
{
    for_all([](const ListPlan &p, const ListShape &, int ni, int) {
        EXPECT_LE(p.slices, 65535);
        const long long counts = static_cast<long long>(ni) * p.slices;
        EXPECT_LE(counts, std::max(ni, 1 << 22));
        EXPECT_GE(p.kept, 4);
        EXPECT_LE(counts * p.kept, std::max(4 * counts, 1LL << 24));
    });
}

TEST(ListPlan, fills_a_device)
{
    for (int ni : {20, 1000, 10000, 100000}) {
        const ListPlan p = list_plan(ni, 1 << 20, kShapes[0]);
        const long long groups = 1LL * p.slices * p.groups;
        EXPECT_GT(groups, 1500) << ni;
        EXPECT_LT(groups, 6000) << ni;
    }
    EXPECT_EQ(list_plan(1, 100, kShapes[0]).slices, 1);
}

// An i-particle with 64 entries in even slices needs no second search.
TEST(ListPlan, keeps_lists_of_usual_length)
{
    for (int ni : {1, 1000, 100000}) {
        const ListPlan p = list_plan(ni, 1 << 20, kShapes[0]);
        EXPECT_GE(1LL * p.kept * p.slices, 64) << ni;
    }
}

}  // namespace
}  // namespace g6::gpu
