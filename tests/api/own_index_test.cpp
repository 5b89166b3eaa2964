// SPDX-License-Identifier: MIT
// An i-particle's own index: j-particles that have it are left out, wherever they are and however
// many they are.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(OwnIndex);

constexpr int kMinInt = std::numeric_limits<int>::min();

TEST_P(OwnIndex, is_found_in_any_slot)
{
    std::vector<Body> bodies = moving_bodies(1500, 33);
    // In no order, so that any tile may have anybody's.
    for (int k = 0; k < 1500; ++k) bodies[k].index = k * 977 % 1500;
    client.set_all(bodies);
    for (int ni : {1, 10, 100, 700}) client.run_and_check(block_of(bodies, 300, ni));
    // Exchanged between slots that are far apart.
    for (int k = 0; k < 700; ++k) std::swap(bodies[k].index, bodies[k + 750].index);
    client.set_all(bodies);
    for (int ni : {1, 10, 100, 700}) client.run_and_check(block_of(bodies, 300, ni));
    // Two neighbouring slots with each of most indices.
    for (int k = 0; k < 1500; ++k) bodies[k].index = (k ^ 1) % 7 == 0 ? k / 2 : k / 2 * 2;
    client.set_all(bodies);
    for (int ni : {1, 10, 100, 700}) client.run_and_check(block_of(bodies, 300, ni));
}

// The potential of the own slot would be -m/eps; none of it may be left.
TEST_P(OwnIndex, leaves_out_acc_jerk_and_the_softened_self_potential)
{
    Body b;
    b.index = 5, b.mass = 1, b.x = {0.5, 0.5, 0.5};
    client.set(0, b);
    IBlock block;
    block.eps2 = 1e-6;
    block.add(5, {0.5, 0.5, 0.5}, {1, 1, 1});
    const Output out = client.run(block);
    EXPECT_EQ(out.pot[0], 0);
    EXPECT_EQ(out.acc[0], Vec3());
    EXPECT_EQ(out.jerk[0], Vec3());
    EXPECT_EQ(out.nearest[0], 0);
}

TEST_P(OwnIndex, decides_and_not_the_position)
{
    client.set_all(moving_bodies(10, 3));
    IBlock block = block_of(moving_bodies(10, 3), 0, 2);
    block.x[0] = {5, 5, 5};       // own index, far from the own slot
    block.add(3, {1, -1, 0.25});  // two i-particles with one index at different places
    block.add(3, {-1, 0.5, -0.75});
    block.index[1] = 99;  // a foreign index at the place of particle 2
    block.eps2 = 0.01;
    client.run_and_check(block);
}

TEST_P(OwnIndex, leaves_out_every_j_that_has_it)
{
    std::vector<Body> bodies = moving_bodies(40, 4);
    for (int k = 0; k < 40; k += 3) bodies[k].index = 1000;
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 10);
    block.add(1000, {0, 0, 0}, {0, 1, 0}, 4);
    client.run_and_check(block);
}

TEST_P(OwnIndex, may_be_any_int)
{
    std::vector<Body> bodies = moving_bodies(5, 5);
    const int special[] = {-1, kMinInt, 0, std::numeric_limits<int>::max(), -2};
    for (int k = 0; k < 5; ++k) bodies[k].index = special[k];
    client.set_all(bodies);
    client.run_and_check(block_of(bodies, 0, 5));
}

TEST_P(OwnIndex, of_minus_one_leaves_out_nobody)
{
    const std::vector<Body> bodies = moving_bodies(30, 6);
    client.set_all(bodies);
    IBlock block;
    block.eps2 = 0.01;
    for (int k = 0; k < 10; ++k) block.add(-1, bodies[k].x, {}, 1);
    client.run_and_check(block);
}

TEST_P(OwnIndex, need_not_be_in_j_memory)
{
    const std::vector<Body> bodies = moving_bodies(60, 7);
    for (int k = 0; k < 30; ++k) client.set(k, bodies[k]);  // this rank's half
    client.run_and_check(block_of(bodies, 30, 30));
}

}  // namespace
}  // namespace g6test
