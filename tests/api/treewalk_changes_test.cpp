// SPDX-License-Identifier: MIT
// Mode treewalk: changes between two blocks that the tree must follow, own bodies that are far from
// the i-particle or at any place of a leaf, and more cells than a list holds.
#include "treewalk.h"

#include <algorithm>

namespace g6test {
namespace {

G6_SUITE(WalkPhysics, TreewalkChanges);

// From an angle that takes large cells to one that takes none, and a quadrupole that makes up for
// the angle.  The i-particles are neighbours, so that cells are far from all that walk together.
TEST_P(TreewalkChanges, settings_of_the_walk_count_at_once)
{
    std::vector<Body> bodies = resting_bodies(3000, 2);
    const auto distance2 = [](const Body &b) {
        return b.x[0] * b.x[0] + b.x[1] * b.x[1] + b.x[2] * b.x[2];
    };
    std::sort(bodies.begin(), bodies.end(),
              [&](const Body &a, const Body &b) { return distance2(a) < distance2(b); });
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 60);
    std::vector<Expected> expected;
    for (int k = 0; k < 60; ++k)
        expected.push_back(evaluate(client.memory(), 3000, 0, block.particle(k)));
    const auto error = [&](const char *key, const char *value) {
        client.option(key, value);
        const Output out = client.run(block);
        double sum = 0;
        for (int k = 0; k < 60; ++k) sum += relative_error(expected[k], out.acc[k]) / 60;
        return sum;
    };
    client.option("mac", "bh");
    const double bh = error("theta", "0.8");
    EXPECT_GT(bh, 1e-4);
    EXPECT_LT(error("multipole", "2"), 0.7 * bh);
    EXPECT_EQ(error("multipole", "0"), bh);
    EXPECT_NE(error("mac", "bmax"), bh);
    EXPECT_EQ(error("mac", "bh"), bh);
    EXPECT_LT(error("theta", "0"), 1e-5);
}

// The tree of a cluster that was closed has bodies that are gone.
// All but slot 50 are sent again: units and the other slots give no reason for another tree.  In an
// old one the empty slot would be a massless body at the origin, next to i-particle 0.
TEST_P(TreewalkChanges, a_former_life_leaves_no_tree)
{
    const std::vector<Body> bodies = moving_bodies(100, 7);
    IBlock block = block_of(bodies, 0, 10);
    block.x[0] = {1e-3, 0, 0};
    block.h2[0] = 1;
    client.set_all(bodies);
    client.run_and_check(block);
    client.reopen();
    for (int k = 0; k < 100; k++)
        if (k != 50) client.set(k, bodies[k]);
    client.run_and_check_with_lists(block);
}

// An i-particle so close to a body that floats are not enough, whose own heavy body is far away.
TEST_P(TreewalkChanges, close_pairs_leave_out_the_own_body_that_is_elsewhere)
{
    walk("0.5");
    std::vector<Body> bodies = resting_bodies(500, 5);
    for (Body &b : bodies) b.x = scaled(b.x, 0.01);
    bodies[77].x = {30, 3, 1};
    bodies[78].x = {31, 3, 1};
    bodies[77].mass = 1e12;
    client.set_all(bodies);
    IBlock block;
    for (int k = 0; k < 20; ++k) {
        Vec3 x = bodies[10 * k].x;
        x[k % 3] += 1e-11;
        block.add(bodies[77].index, x);
    }
    client.expect_close(block, 500, client.run(block), 1e-3);
}

// More cells than a list holds.
TEST_P(TreewalkChanges, thousands_of_cells_are_all_summed)
{
    walk("0.15");
    client.debug("leaf", "1");
    const std::vector<Body> bodies = client.set_all(resting_bodies(20000, 6));
    for (int n : {1, 5}) {
        const IBlock block = block_of(bodies, 7000, n, 0, 1e-6, 0);
        const Output out = client.run(block, 20000, Half::kLast);
        for (int k = 0; k < n; ++k) {
            const Expected e = evaluate(client.memory(), 20000, 0, block.particle(k));
            EXPECT_TRUE(within("acc", e.acc, out.acc[k], 1e-4 * e.acc_size));
            EXPECT_TRUE(within("pot", e.pot, out.pot[k], 1e-4 * e.pot_size));
        }
    }
}

// One after the other of the bodies is the own one, wherever it is in its leaf.  Seen from ten
// times its size the system errs by 1e-3 with its quadrupole at most; a body is 1/200 of it.
TEST_P(TreewalkChanges, the_own_body_is_left_out_at_any_place_of_a_leaf)
{
    walk("0.7");
    client.option("multipole", "2");
    const std::vector<Body> bodies = client.set_all(resting_bodies(200, 7));
    for (int k = 0; k < 200; ++k) {
        IBlock block;
        block.add(bodies[k].index, {10, 3, 1});
        const Output out = client.run(block, 200, Half::kLast);
        const Expected e = evaluate(client.memory(), 200, 0, block.particle(0));
        ASSERT_TRUE(within("pot", e.pot, out.pot[0], 1e-3 * e.pot_size)) << k;
    }
}

// Bodies exchange their indices and stay where they are, and several i-particles have one index.
TEST_P(TreewalkChanges, an_index_may_move_to_another_body)
{
    std::vector<Body> bodies = client.set_all(moving_bodies(400, 17));
    for (int turn = 0; turn < 4; ++turn) {
        IBlock block;
        for (int k = 0; k < 60; ++k) {
            const Body &b = bodies[(13 * k) % 40];
            block.add(b.index, {b.x[0] + 1e-3 * (1 + turn), b.x[1], b.x[2] - 1e-3 * k});
        }
        client.run_and_check(block);
        const int first = bodies[0].index;
        for (int k = 0; k < 400; ++k) bodies[k].index = k < 399 ? bodies[k + 1].index : first;
        client.set_all(bodies);
    }
}

}  // namespace
}  // namespace g6test
