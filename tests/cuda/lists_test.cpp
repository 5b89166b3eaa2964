// SPDX-License-Identifier: MIT
// Slices of neighbour lists: they cover the slots once, and no count of theirs leaves its type.
#include "backends/cuda/lists.h"

#include <climits>
#include <gtest/gtest.h>

namespace g6::cuda {
namespace {

constexpr int kNumbers[] = {1,       2,       31,        64,      4095,           4096,      4097,
                            1000000, 8388608, 500000000, 1 << 30, 0x7fffff00 - 1, 0x7fffff00};

TEST(ListPlan, covers_every_slot_once)
{
    for (int ni : kNumbers)
        for (int nj : kNumbers) {
            const ListPlan p = list_plan(ni, nj);
            SCOPED_TRACE(testing::Message() << ni << " of " << nj);
            EXPECT_GT(p.length, 0);
            EXPECT_EQ(p.length % kListStage, 0);
            EXPECT_GE(static_cast<long long>(p.slices) * p.length, nj);
            EXPECT_LT(static_cast<long long>(p.slices - 1) * p.length, nj);
        }
}

TEST(ListPlan, stays_within_a_grid_and_within_int)
{
    for (int ni : kNumbers)
        for (int nj : kNumbers) {
            const ListPlan p = list_plan(ni, nj);
            EXPECT_LE(p.slices, 65535);
            const long long counts = static_cast<long long>(ni) * p.slices;
            EXPECT_LE(counts, std::max(ni, 1 << 22)) << ni << " of " << nj;
        }
}

TEST(ListPlan, fills_a_device)
{
    for (int ni : {20, 1000, 10000, 100000}) {
        const ListPlan p = list_plan(ni, 1 << 20);
        const int threads = (ni - 1) / p.per_thread + 1;
        const long long blocks = 1LL * p.slices * ((threads - 1) / kListThreads + 1);
        EXPECT_GT(blocks, 1500) << ni;
        EXPECT_LT(blocks, 6000) << ni;
    }
    EXPECT_EQ(list_plan(1, 100).slices, 1);
}

}  // namespace
}  // namespace g6::cuda
