// SPDX-License-Identifier: MIT
// g6_devices_for() with four fake devices of unknown speed.  All devices take part that get at
// least 32 i-particles.
#include "fixture.h"

namespace g6test {
namespace {

class DevicesOfBlock : public FakeTest {
protected:
    const std::vector<Body> bodies = moving_bodies(200, 1);
};

TEST_F(DevicesOfBlock, are_as_many_as_the_block_takes)
{
    Client client(on("0,1,2,3", "auto"));
    EXPECT_EQ(g6_devices_for(client.id(), 1000000, 1000), 4);
    client.set_all(bodies);
    const struct {
        int ni, devices;
    } cases[] = {{1, 1}, {63, 1}, {64, 2}, {95, 2}, {96, 3}, {127, 3}, {128, 4}, {200, 4}};
    for (const auto &c : cases) {
        SCOPED_TRACE(c.ni);
        EXPECT_EQ(g6_devices_for(client.id(), 200, c.ni), c.devices);
        SetUp();
        client.run(block_of(bodies, 0, c.ni));
        for (int d = 0; d < 4; ++d) EXPECT_EQ(calls(d, kStart) > 0, d < c.devices);
    }
    const Client one(on("2", "auto"));
    EXPECT_EQ(g6_devices_for(one.id(), 1000000, 1000), 1);
}

TEST_F(DevicesOfBlock, share_walks_of_their_own_trees)
{
    Client client(on("0,1,2,3", "auto"));
    client.option("mode", "treewalk");
    for (const char *direct : {"0", "1000000", "auto"}) {
        client.option("direct", direct);
        EXPECT_EQ(g6_devices_for(client.id(), 1000000, 64), 2) << direct;
        EXPECT_EQ(g6_devices_for(client.id(), 1000000, 1000), 4) << direct;
    }
}

TEST_F(DevicesOfBlock, are_told_while_another_block_is_computed)
{
    Client client(on("0,1,2,3", "auto"));
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 100);
    client.first(block, 200);
    EXPECT_EQ(g6_devices_for(client.id(), 1000000, 1000), 4);
    client.expect_right(block, 200, client.last(block, 200));
    for (int d = 0; d < 4; ++d) {
        EXPECT_EQ(calls(d, kStart) > 0, d < 3);
        EXPECT_EQ(calls(d, kFinish) > 0, d < 3);
    }
}

}  // namespace
}  // namespace g6test
