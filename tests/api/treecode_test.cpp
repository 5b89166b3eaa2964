// SPDX-License-Identifier: MIT
// Calls of the treecodes: mass and position only.  While nothing else was sent, only acc and pot
// are computed.
#include "../physics.h"

extern "C" {
int g6_set_j_particle_mxonly_(int *, int *, int *, double *, double *);
int g6_flush_jp_buffer_and_multisend_(int *, int *);
}

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

TEST_P(Treecode, mass_and_position_only_gives_no_jerk)
{
    const std::vector<Body> bodies = resting_bodies(100, 1);
    for (int k = 0; k < 100; ++k) client.set_point(k, bodies[k]);
    const IBlock block = moving_block(bodies);
    expect_no_jerk(client, block, client.run(block, 100, Half::kLast));
}

TEST_P(Treecode, particles_at_rest_stay_where_they_are_at_any_time)
{
    const std::vector<Body> bodies = resting_bodies(50, 2);
    for (int k = 0; k < 50; ++k) client.set_point(k, bodies[k]);
    const IBlock block = moving_block(bodies);
    for (double ti : {0.0, 1.0, -3.0}) {
        client.set_ti(ti);
        expect_no_jerk(client, block, client.run(block, 50, Half::kLast));
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

TEST_P(Treecode, mode_hermite_gives_the_jerk_of_resting_particles)
{
    const std::vector<Body> bodies = resting_bodies(50, 5);
    const IBlock block = moving_block(bodies);
    for (int k = 0; k < 50; ++k) client.set_point(k, bodies[k]);
    EXPECT_EQ(g6_set_mode(client.id(), "hermite"), 0);
    client.run_and_check(block);
    EXPECT_EQ(g6_set_mode(client.id(), "treeonly"), 0);
    expect_no_jerk(client, block, client.run(block, 50, Half::kLast));
}

TEST_P(Treecode, mode_treeonly_leaves_out_the_jerk_of_moving_particles)
{
    const std::vector<Body> bodies = moving_bodies(50, 6);
    client.set_all(bodies);
    client.set_ti(0.125);
    const IBlock block = block_of(bodies, 0, 10, 0.125);
    client.run_and_check(block);
    client.option("mode", "treeonly");
    expect_no_jerk(client, block, client.run(block, 50, Half::kLast));
    client.option("mode", "hermite");
    client.run_and_check(block);
}

TEST_P(Treecode, a_position_only_write_clears_all_other_terms_of_its_slot)
{
    const std::vector<Body> bodies = moving_bodies(30, 7);
    client.set_all(bodies);
    client.set_ti(0.25);
    client.run_and_check(block_of(bodies, 10, 10, 0.25));  // the device has seen the full one
    client.set_point(4, bodies[5]);
    client.run_and_check(block_of(bodies, 10, 10, 0.25));
    client.set(4, bodies[4]);
    client.run_and_check(block_of(bodies, 10, 10, 0.25));
}

TEST_P(Treecode, open_after_close_chooses_the_mode_anew)
{
    const std::vector<Body> bodies = resting_bodies(30, 8);
    const IBlock block = moving_block(bodies);
    client.set_all(bodies);
    client.run_and_check(block);
    client.reopen();
    for (int k = 0; k < 30; ++k) client.set_point(k, bodies[k]);
    expect_no_jerk(client, block, client.run(block, 30, Half::kLast));
    client.reopen();
    client.set_all(bodies);
    client.run_and_check(block);
}

// Makino's treecode: one list of nodes after the other into the same slots, each list shorter or
// longer.
TEST_P(Treecode, interaction_lists_follow_each_other_in_the_same_slots)
{
    Random random(9);
    for (int round = 0; round < 20; ++round) {
        const int nj = 1 + random.below(200);
        const std::vector<Body> nodes = resting_bodies(nj, 100 + round);
        for (int k = 0; k < nj; ++k) client.set_point(k, nodes[k]);
        IBlock block;
        block.eps2 = 1e-4;
        for (int k = 0; k < 30; ++k) block.add(100000 + k, random.vector(1));
        const Output out = client.run(block, nj, Half::kLast);
        client.expect_right(block, nj, out);  // at rest: jerk 0 is the right answer as well
    }
}

TEST_P(Treecode, multisend_and_the_fortran_forms_write_particles)
{
    const std::vector<Body> bodies = resting_bodies(30, 10);
    int id = client.id(), one = 1;
    for (int k = 0; k < 30; ++k) {
        Body b = bodies[k];
        if (k % 2)
            EXPECT_EQ(
                g6_set_j_particle_multisend_mxfast_(&id, &one, &k, &b.index, &b.mass, b.x.data()),
                0);
        else
            EXPECT_EQ(g6_set_j_particle_mxonly_(&id, &k, &b.index, &b.mass, b.x.data()), 0);
        client.remember_point(k, b);
    }
    EXPECT_EQ(g6_flush_jp_buffer_and_multisend(id, 1), 0);
    EXPECT_EQ(g6_flush_jp_buffer_and_multisend_(&id, &one), 0);
    const IBlock block = moving_block(bodies);
    expect_no_jerk(client, block, client.run(block, 30, Half::kLast));
}

}  // namespace
}  // namespace g6test
