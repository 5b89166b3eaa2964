// SPDX-License-Identifier: MIT
// Direct sums on tensor cores with OpenCL: which blocks have them, and what happens where the driver
// cannot build them.  The physics tests have their forces (Machine::isa "tensors").
#include "../physics.h"

namespace g6test {
namespace {

class OpenClTensors : public testing::Test {
protected:
    void SetUp() override
    {
        if (!has_note("opencl", "tensor cores"))
            GTEST_SKIP() << "no OpenCL device with tensor cores";
    }
    // n bodies on themselves, with these pairs of G6_DEBUG.
    static Output run(int n, const std::vector<std::pair<std::string, std::string>> &pairs)
    {
        const std::vector<Body> bodies = moving_bodies(n, 5);
        Client client({"opencl", "mixed", "0", ""});
        for (const auto &[key, value] : pairs) client.debug(key, value);
        client.set_all(bodies);
        client.set_ti(0);
        const Output out = client.run(block_of(bodies, 0, n));
        EXPECT_EQ(out.status, 0) << g6_last_error();
        g6_stats stats{};
        stats.size = sizeof stats;
        EXPECT_EQ(g6_get_stats(client.id(), &stats), G6_OK);
        EXPECT_EQ(stats.recoveries, 0);
        return out;
    }
};

// 2^28 pairs.
TEST_F(OpenClTensors, serve_large_blocks_by_default)
{
    constexpr int kBodies = 1 << 14;
    const Output chosen = run(kBodies, {});
    EXPECT_TRUE(same_bits(chosen, run(kBodies, {{"opencl_tensor", "2"}})));
    EXPECT_FALSE(same_bits(chosen, run(kBodies, {{"opencl_tensor", "0"}})));
}

TEST_F(OpenClTensors, leave_small_blocks_as_they_are)
{
    EXPECT_TRUE(same_bits(run(2000, {}), run(2000, {{"opencl_tensor", "0"}})));
}

// The option makes the text of tensor.cl, and no other, one that no compiler takes.
TEST_F(OpenClTensors, that_cannot_be_built_are_done_without)
{
    const Output without = run(2000, {{"opencl_tensor", "0"}});
    EXPECT_FALSE(same_bits(without, run(2000, {{"opencl_tensor", "2"}})));
    EXPECT_TRUE(same_bits(
        without, run(2000, {{"opencl_tensor", "2"}, {"opencl_options", "-Dmultiply4=1"}})));
}

}  // namespace
}  // namespace g6test
