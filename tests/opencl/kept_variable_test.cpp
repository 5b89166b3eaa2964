// SPDX-License-Identifier: MIT
// Loading drivers leaves the environment of later processes as it was.
#include "backends/opencl/kept_variable.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace g6::opencl {
namespace {

TEST(KeptVariable, is_whole_again_after_it_was_taken_apart)
{
    setenv("G6TEST_NAMES", "first:second", 1);
    {
        const KeptVariable names("G6TEST_NAMES");
        std::strtok(std::getenv("G6TEST_NAMES"), ":");
        ASSERT_STREQ(std::getenv("G6TEST_NAMES"), "first");
    }
    EXPECT_STREQ(std::getenv("G6TEST_NAMES"), "first:second");
    unsetenv("G6TEST_NAMES");
}

TEST(KeptVariable, may_be_absent)
{
    const KeptVariable names("G6TEST_ABSENT");
    EXPECT_EQ(std::getenv("G6TEST_ABSENT"), nullptr);
}

}  // namespace
}  // namespace g6::opencl
