// SPDX-License-Identifier: MIT
// When direct sums are computed on tensor cores.
#include "backends/gpu/tensor_plan.h"

#include <gtest/gtest.h>

namespace g6::gpu {
namespace {

TEST(TensorPlan, blocks_of_many_i_particles_and_many_pairs_pay)
{
    EXPECT_TRUE(pays_on_tensors(1024, 1 << 18, false));
    EXPECT_FALSE(pays_on_tensors(1023, 1 << 24, false));
    EXPECT_TRUE(pays_on_tensors(1 << 14, 1 << 14, false));
    EXPECT_FALSE(pays_on_tensors((1 << 14) - 1, 1 << 14, false));
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
