// SPDX-License-Identifier: MIT
// Calls of the treecodes: mass and position only.  While nothing else was sent, only acc and pot
// are computed.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Treecode);

IBlock moving_block(const std::vector<Body> &bodies)
{
    IBlock block = block_of(bodies, 0, 10);
    block.v.assign(10, Vec3{1, -2, 0.5});  // a Hermite sum would have a jerk
    return block;
}

void expect_no_jerk(const Client &client, const IBlock &block, const Output &out)
{
    const Tolerance t = tolerance(client.precision());
    EXPECT_EQ(out.status, 0);
    EXPECT_EQ(out.jerk, std::vector<Vec3>(block.size()));
    for (int k = 0; k < block.size(); ++k) {
        const Expected e = evaluate(client.memory(), client.nj(), client.ti(), block.particle(k));
        const Allowed allowed(e, t);
        EXPECT_TRUE(within("acc", e.acc, out.acc[k], allowed.acc));
        EXPECT_TRUE(within("pot", e.pot, out.pot[k], allowed.pot));
    }
}

TEST_P(Treecode, a_full_particle_brings_the_jerk_back)
{
    const std::vector<Body> bodies = resting_bodies(50, 3);
    for (int k = 0; k < 50; ++k) client.set_point(k, bodies[k]);
    const IBlock block = moving_block(bodies);
    expect_no_jerk(client, block, client.run(block, 50, Half::kLast));
    Body full = moving_bodies(1, 4)[0];
    full.index = 77;
    client.set(20, full);
    client.run_and_check(block);
    client.set_point(21, bodies[22]);  // and one more without does not take it away
    client.run_and_check(block);
}

}  // namespace
}  // namespace g6test
