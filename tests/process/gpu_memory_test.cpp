// SPDX-License-Identifier: MIT
// The CUDA backend on a GPU whose memory is nearly full: each test runs in its own process, which
// fills the memory itself.
#include "process.h"

#include "../physics.h"

namespace g6test {
namespace {

// What the probe does, MiB that it leaves free, and what the message is about.
struct Shortage {
    const char *what, *left, *about;
};

class CudaMemory : public Process, public testing::WithParamInterface<Shortage> {};

TEST_P(CudaMemory, when_short_says_what_is_missing_and_the_cpu_gives_right_results)
{
    const std::string why = why_not("cuda");
    if (!why.empty()) GTEST_SKIP() << "cuda: " << why;
    const Result r = probe("G6_LOG=warn G6_BACKEND=cuda G6_DEVICES=0",
                           std::string(GetParam().what) + " " + GetParam().left);
    EXPECT_TRUE(r.says("backends=cuda,cpu right=1,1 taken=1")) << r.out << r.err;
    EXPECT_TRUE(r.tells(std::string(" MiB needed for ") + GetParam().about)) << r.err;
    EXPECT_TRUE(r.tells(" MiB free; ")) << r.err;
    EXPECT_TRUE(r.tells("going on with cpu")) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
}

// Of 1048576 moving particles, MiB: direct sums of many take 88; a tree takes 52 for the bodies
// and, when these lie in a uniform cube, at least 16 and here some 33 for cells.
INSTANTIATE_TEST_SUITE_P(, CudaMemory,
                         testing::Values(Shortage{"short-sum", "40", "direct sums over 1048576 "},
                                         Shortage{"short-tree", "40", "a tree of 1048576 "},
                                         Shortage{"short-tree", "68", "a tree of 1048576 "}),
                         [](const auto &info) {
                             const std::string what = info.param.what;
                             return what.substr(6) + "_" + info.param.left;
                         });

TEST_F(Process, with_room_the_gpu_does_what_those_tests_ask_of_it)
{
    const std::string why = why_not("cuda");
    if (!why.empty()) GTEST_SKIP() << "cuda: " << why;
    for (const char *what : {"short-sum", "short-tree", "short-tensors", "short-growth"}) {
        const Result r =
            probe("G6_LOG=warn G6_BACKEND=cuda G6_DEVICES=0", std::string(what) + " 600");
        EXPECT_TRUE(r.says("backends=cuda,cuda right=1,1 taken=1")) << r.out << r.err;
        EXPECT_EQ(r.err, "");
    }
}

// Of 1048576 particles, MiB: direct sums of many take 88, tensor cores take 160 more, and larger
// arrays for the particles themselves take 122.
TEST_F(Process, tensor_cores_get_no_memory_that_is_needed_elsewhere)
{
    const std::string why = why_not("cuda");
    if (!why.empty()) GTEST_SKIP() << "cuda: " << why;
    for (const char *what : {"short-tensors 200", "short-growth 40"}) {
        const Result r = probe("G6_LOG=warn G6_BACKEND=cuda G6_DEVICES=0", what);
        EXPECT_TRUE(r.says("backends=cuda,cuda right=1,1 taken=1")) << what << r.out << r.err;
        EXPECT_EQ(r.err, "");
    }
}

}  // namespace
}  // namespace g6test
