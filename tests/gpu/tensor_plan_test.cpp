// SPDX-License-Identifier: MIT
// When direct sums are computed on tensor cores.
#include "backends/gpu/tensor_plan.h"

#include <gtest/gtest.h>

namespace g6::gpu {
namespace {

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
