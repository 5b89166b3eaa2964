// SPDX-License-Identifier: MIT
// Slices of neighbour lists: their counts fit into memory, and few i-particles fill a device.
#include "backends/opencl/list_slices.h"

#include <gtest/gtest.h>

namespace g6::opencl {
namespace {

constexpr int kNumbers[] = {1, 2, 64, 4096, 1000000, 8388608, 1 << 27, 1 << 29};

TEST(ListSlices, counts_fit_into_memory)
{
    for (int units : {1, 16, 132, 1024})
        for (int ni : kNumbers)
            for (int nj : kNumbers) {
                const long long length = slice_length(ni, nj, units),
                                slices = (nj + length - 1) / length;
                EXPECT_GT(length, 0);
                EXPECT_LE(slices * ni, std::max(ni, 1 << 22)) << ni << " of " << nj;
            }
}

TEST(ListSlices, few_i_particles_fill_the_device)
{
    // 512 items a unit: 8192 slices of 128 slots.
    EXPECT_EQ(slice_length(1, 1 << 20, 16), 128);
    EXPECT_EQ(slice_length(100, 1 << 20, 16), 4096);
    EXPECT_EQ(slice_length(1, 100, 16), 64);
}

}  // namespace
}  // namespace g6::opencl
