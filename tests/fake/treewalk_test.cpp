// SPDX-License-Identifier: MIT
// Mode treewalk on devices that build their own tree: each device holds all particles and takes a
// part of the block.  Also the change back to direct sums, and to the host's tree when devices
// fail.
#include "fixture.h"

namespace g6test {
namespace {

class OwnTree : public FakeTest, public testing::WithParamInterface<const char *> {
protected:
    void SetUp() override
    {
        FakeTest::SetUp();
        client.use_mode("treewalk");  // should the host's tree take over: exact as well
        client.set_all(bodies);
        client.set_ti(0.125);
    }
    IBlock block(int n) const { return block_of(bodies, 0, n, 0.125); }

    Client client{on(GetParam(), "i")};
    const int devices = int(std::string(GetParam()).size() + 1) / 2;
    const int first = GetParam()[0] - '0';
    const std::vector<Body> bodies = moving_bodies(101, 1);
};

INSTANTIATE_TEST_SUITE_P(, OwnTree, testing::Values("0", "0,1", "3,2,1,0"), [](const auto &info) {
    return std::to_string((std::string(info.param).size() + 1) / 2);
});

TEST_P(OwnTree, every_device_holds_all_particles_and_walks_for_a_part_of_the_block)
{
    client.run(block(40));
    for (int d = 0; d < devices; ++d) {
        EXPECT_EQ(device(d).rows, 101);
        EXPECT_EQ(device(d).nj, 101);
        EXPECT_EQ(device(d).ni, 40);
        EXPECT_EQ(device(d).parts, devices);
    }
}

// Direct sums between walks: each device takes its part of the i-particles all the same.
TEST_P(OwnTree, small_blocks_are_direct_sums)
{
    client.option("direct", "10");
    for (int n : {9, 10, 3, 40, 1, 10, 9}) {
        SCOPED_TRACE(n);
        client.set(n, bodies[n + 1]);
        client.run_and_check_with_lists(block(n));
        EXPECT_EQ(device(first).walk, n >= 10);
        // Of a direct sum some are idle when i-particles are few.
        EXPECT_EQ(device(first).ni, n >= 10 ? n : n / std::min(n, devices));
    }
    for (int d = 0; d < devices; ++d) device(d).lose_at[kFinish] = 1;
    client.run_and_check(block(5));
    client.run_and_check(block(50));
}

// The cpu walks the host's tree, made from the particles as they were at firsthalf.
TEST_P(OwnTree, when_all_devices_fail_the_cpu_goes_on_with_the_hosts_tree)
{
    client.run_and_check(block(10));
    const Memory then = client.memory();
    for (int d = 0; d < devices; ++d) {
        device(d).gone_when_lost = true;
        device(d).lose_at[kFinish] = 1;
    }
    client.first(block(10), 101);
    client.set_all(moving_bodies(101, 9));  // not for this block
    client.expect_right(block(10), 101, client.last(block(10), 101), then, 0.125);
    EXPECT_STREQ(g6_backend_name(client.id()), "cpu");
    client.run_and_check_with_lists(block(10));  // but for the next
    client.option("mode", "hermite");
    client.run_and_check(block(10));
}

}  // namespace
}  // namespace g6test
