// SPDX-License-Identifier: MIT
// The library computes what the client collected last time and repeats the block when the guess was
// wrong.  Whatever the client does next, in any order, the results are those of the reference.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Wanted);

// One block step of a kind chosen by bits: 1 lasthalf2, 2 lists, 4 i-velocities, 8 radii, 16 no
// firsthalf.
void step(Client &client, const std::vector<Body> &bodies, int first, unsigned kind)
{
    IBlock block = block_of(bodies, first, 12, client.ti());
    if (!(kind & 4)) block.v.assign(12, Vec3{});
    if (!(kind & 8)) block.h2.assign(12, 0.0);
    const Half half = kind & 1 ? Half::kLast2 : Half::kLast;
    if (!(kind & 16)) client.first(block, client.nj());
    client.expect_right(block, client.last(block, client.nj(), half));
    if (kind & 2) client.expect_lists(block, client.nj());
}

TEST_P(Wanted, velocities_may_come_and_go)
{
    const std::vector<Body> rest = resting_bodies(60, 3);
    std::vector<Body> moving = rest;
    moving[7].v = {0.5, 1, -1};
    client.set_all(rest);
    for (unsigned kind : {8u, 8u, 12u, 8u}) step(client, rest, 0, kind);
    client.set(7, moving[7]);  // a j-particle moves while every i-particle rests
    for (unsigned kind : {8u, 9u, 12u}) step(client, moving, 0, kind);
    client.set(7, rest[7]);
    for (unsigned kind : {8u, 12u, 8u}) step(client, rest, 0, kind);
}

// With ti = tj the velocity of a particle that has only an acceleration is zero; a moment later it
// is not.
TEST_P(Wanted, velocities_may_come_from_prediction_alone)
{
    std::vector<Body> bodies = resting_bodies(30, 4);
    for (Body &b : bodies) b.a2 = {0.5, -0.5, 1};
    client.set_all(bodies);
    for (double ti : {0.0, 0.125, 0.0, 0.25}) {
        client.set_ti(ti);
        step(client, bodies, 0, 8);
    }
}

TEST_P(Wanted, any_order_of_everything)
{
    std::vector<Body> bodies = moving_bodies(60, 6);
    client.set_all(bodies);
    Random random(7);
    for (int k = 0; k < 120; ++k) {
        SCOPED_TRACE("step " + std::to_string(k));
        if (random.below(3) == 0) client.set_ti(random(0, 0.25));
        if (random.below(3) == 0) {
            const int a = random.below(60);
            bodies[a].x = random.vector(1);
            client.set(a, bodies[a]);
        }
        step(client, bodies, random.below(48), unsigned(random.below(32)));
        if (HasFatalFailure()) return;
    }
}

TEST_P(Wanted, modes_may_change_in_any_order)
{
    const std::vector<Body> bodies = moving_bodies(60, 8);
    client.set_all(bodies);
    Random random(9);
    for (int k = 0; k < 60; ++k) {
        SCOPED_TRACE("step " + std::to_string(k));
        const int mode = random.below(3);
        client.option("mode", mode == 0 ? "treeonly" : mode == 1 ? "hermite" : "auto");
        const IBlock block = block_of(bodies, random.below(48), 12);
        Output out =
            client.run(block, 60, mode == 0 || random.below(2) ? Half::kLast : Half::kLast2);
        if (mode == 0) {  // jerk is 0 there; for the check of the rest it is filled in
            EXPECT_EQ(out.jerk, std::vector<Vec3>(12));
            client.option("mode", "hermite");
            out.jerk = client.run(block, 60, Half::kLast).jerk;
        }
        client.expect_right(block, out);
        if (HasFatalFailure()) return;
    }
}

// What a device keeps of one block, as predicted particles in some form, must not show in the next.
TEST_P(Wanted, blocks_have_the_same_bits_whatever_block_came_before)
{
    const std::vector<Body> bodies = moving_bodies(700, 9);
    std::vector<IBlock> blocks;
    for (int n : {1, 5, 6, 16, 300}) blocks.push_back(block_of(bodies, 3, n, 0.25));
    std::vector<Output> alone;
    client.set_all(bodies);
    for (const IBlock &block : blocks) {
        client.set_ti(0.5);  // predicts anew
        client.run(block, 10);
        client.set_ti(0.25);
        alone.push_back(client.run(block, client.nj()));
    }
    for (std::size_t before = 0; before < blocks.size(); ++before)
        for (std::size_t k = 0; k < blocks.size(); ++k) {
            client.run(blocks[before], client.nj());
            ASSERT_TRUE(same_bits(client.run(blocks[k], client.nj()), alone[k]))
                << blocks[k].size() << " after " << blocks[before].size();
        }
}

// Slots from nj on may hold anything: a treecode writes lists of different lengths to the same
// slots.  Beside so large a softening the cpu splits positions also in a tile as wide as these
// slots make it: with nj = 200 those of its second and third quarter.
TEST_P(Wanted, slots_beyond_nj_leave_no_trace_in_the_bits)
{
    std::vector<Body> bodies = moving_bodies(300, 11);
    for (int nj : {100, 200, 256}) {
        client.set_all(bodies);
        std::vector<Output> before;
        const auto block = [&](int n) { return block_of(bodies, 3, n, 0, 0.0625); };
        for (int n : {3, 16}) before.push_back(client.run(block(n), nj));
        for (int k = nj; k < 300; ++k) {
            Body far = bodies[k];
            for (double &x : far.x) x = 1e5 + 3 * x;
            client.set(k, far);
        }
        for (std::size_t k = 0; k < 2; ++k)
            EXPECT_TRUE(same_bits(client.run(block(k ? 16 : 3), nj), before[k])) << nj << " " << k;
    }
}

}  // namespace
}  // namespace g6test
