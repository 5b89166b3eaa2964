// SPDX-License-Identifier: MIT
// j-particle memory: holes, a former life, and calls with mass and position only.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(JMemory);

// Empty slots would lie at the origin, nearer to these i-particles than anybody, in tiles that have
// particles too.
TEST_P(JMemory, empty_slots_hide_nobodys_nearest_neighbour)
{
    std::vector<Body> bodies = resting_bodies(600, 20);
    for (Body &b : bodies) b.x[0] += b.x[0] < 0 ? -1 : 1;
    for (int gap : {64, 256, 300, 577}) {
        SCOPED_TRACE(gap);
        client.reopen();
        for (int k = 0; k < 600; ++k)
            if (k < gap || k > gap + 20) client.set(k, bodies[k]);
        IBlock block;
        for (int k = 0; k < 20; ++k)
            block.add(-1 - k, {0.01 * k, bodies[30 * k].x[1], bodies[30 * k].x[2]});
        block.eps2 = 1e-3;
        client.run_and_check(block);
    }
}

// The tree of a cluster that was closed has bodies that are gone.
// All but slot 50 are sent again: units and the other slots give no reason for another tree.  In an
// old one the empty slot would be a massless body at the origin, next to i-particle 0.
TEST_P(JMemory, of_a_former_life_leaves_no_tree)
{
    const std::vector<Body> bodies = moving_bodies(100, 7);
    IBlock block = block_of(bodies, 0, 10);
    block.x[0] = {1e-3, 0, 0};
    block.h2[0] = 1;
    client.use_mode("treewalk");
    client.set_all(bodies);
    client.run_and_check(block);
    client.reopen();
    for (int k = 0; k < 100; k++)
        if (k != 50) client.set(k, bodies[k]);
    client.run_and_check_with_lists(block);
}

// ---- calls of the treecodes: mass and position only.  While nothing else was sent, only acc and
// pot are computed.

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
