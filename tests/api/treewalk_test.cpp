// SPDX-License-Identifier: MIT
// Mode treewalk through the g6 calls: results that are exact whatever the opening angle.
// tests/libg6gpu/tree_error_test.cpp bounds the errors of other results; treewalk_systems_test.cpp
// has indices and systems that change.
#include "treewalk.h"

namespace g6test {
namespace {

G6_SUITE(WalkPhysics, Treewalk);

// ---- theta = 0: a direct sum

TEST_P(Treewalk, opening_every_cell_is_a_direct_sum)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(700, 1));
    client.set_ti(0.125);
    for (const char *mac : {"bh", "bmax", "multipole", "acceleration", "combined"}) {
        SCOPED_TRACE(mac);
        client.option("mac", mac);
        for (int n : {1, 3, 300}) client.run_and_check_with_lists(block_of(bodies, 100, n, 0.125));
    }
}

// The tree of bodies that move must be refreshed for every time, that of bodies at rest need not.
TEST(TreewalkCost, another_time_is_another_tree_where_bodies_move)
{
    for (bool moving : {true, false}) {
        Client client({"cpu", "mixed", "", "auto"});
        client.option("mode", "treewalk");
        std::vector<Body> bodies = resting_bodies(40000, 35);
        for (Body &b : bodies) b.v[0] = moving;
        client.set_all(bodies);
        const auto direct = [&] {
            const double before = client.interactions();
            client.run(block_of(bodies, 0, 40));
            return client.interactions() - before == 40000.0 * 40;
        };
        for (int k = 0; k < 3; ++k) EXPECT_EQ(direct(), k < 2) << k;
        client.set_ti(0.5);
        EXPECT_EQ(direct(), moving);
    }
}

// ---- the same bits

TEST_P(Treewalk, bits_depend_neither_on_repetition_nor_on_threads)
{
    walk("0.6");
    // Work that the cpu divides among threads; other backends take longer for it in a test.
    const int n = GetParam().backend == "cpu" ? 3000 : 700;
    const std::vector<Body> bodies = client.set_all(moving_bodies(3 * n, 24));
    const IBlock block = block_of(bodies, 0, n);
    const Output first = client.run(block), again = client.run(block);
    EXPECT_TRUE(same_bits(first, again));
    Client other(GetParam(), bodies);
    for (const auto &[key, value] :
         {std::pair{"mode", "treewalk"}, {"theta", "0.6"}, {"direct", "0"}, {"threads", "3"}})
        other.option(key, value);
    EXPECT_TRUE(same_bits(first, other.run(block)));
}

// ---- the acceleration criterion

TEST_P(Treewalk, acceleration_criterion_without_a_known_one_is_bh)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(1500, 25));
    walk("0.7");
    client.option("mac", "bh");
    IBlock block = block_of(bodies, 0, 100);
    const Output bh = client.run(block);
    client.option("mac", "acceleration");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(same_bits(bh, run_with_aold(client, block, {})));
    for (double odd : {0.0, nan, infinity, 1e300})
        EXPECT_TRUE(
            same_bits(bh, run_with_aold(client, block, std::vector<Vec3>(100, Vec3{odd, 0, 0}))))
            << odd;
}

// ---- work

TEST_P(Treewalk, interactions_are_those_that_were_summed)
{
    const std::vector<Body> bodies = client.set_all(resting_bodies(4000, 27));
    const IBlock block = block_of(bodies, 0, 1000);
    client.run(block, 4000, Half::kLast);
    const double all = client.interactions();
    EXPECT_EQ(all, 1000.0 * 4000);  // theta 0: all pairs, oneself masked
    walk("0.8");
    client.run(block, 4000, Half::kLast);
    const double some = client.interactions() - all;
    EXPECT_LT(some, 0.7 * 1000 * 4000);
    EXPECT_GT(some, 1000);
}

// Keys name 2^21 places along an edge of the root's cube.  Were the cube around this escaper too,
// the others would lie in some 70 of its finest cells, which cannot be divided, and each walk would
// have hundreds of times the usual work.  The criterion combined makes some of it: beside the
// escaper a typical acceleration is small, so that cells act as a whole as with bh at 0.8 theta.
TEST_P(Treewalk, one_far_escaper_costs_little)
{
    std::vector<Body> bodies = resting_bodies(20000, 36);
    const auto work = [&] {
        client.reopen(bodies);
        walk("0.6");
        const IBlock block = block_of(bodies, 0, 1000);
        const double before = client.interactions();
        const Output out = client.run(block);
        const Expected e = evaluate(client.memory(), 20000, 0, block.particle(5));
        EXPECT_LT(relative_error(e, out.acc[5]), 0.05);
        EXPECT_EQ(out.nearest[5], e.nearest_index);
        return client.interactions() - before;
    };
    const double usual = work();
    bodies[12345].x = {1e6, -3e5, 2e5};
    EXPECT_LT(work(), 2 * usual);
}

// A star in a ring of planetesimals of a millionth of its mass together.  A cell of reach b at a
// distance d errs by less than 3 k^2 (1+k)^2 / (1-k)^2 of the pull of its bodies, with k = b/d
// below 1.5 theta (Salmon & Warren 1994, eq. 9): 0.036 for theta 0.06.
TEST_P(Treewalk, theta_bounds_errors_around_a_body_with_nearly_all_mass)
{
    std::vector<Body> bodies = resting_bodies(3000, 37);
    Random random(38);
    for (Body &b : bodies) {
        const double r = random(0.9, 1.1), angle = random(0, 6.28);
        b.x = {r * std::cos(angle), r * std::sin(angle), random(-1e-3, 1e-3)};
        b.mass *= 1e-6;
    }
    bodies[0].x = {};
    bodies[0].mass = 1;
    walk("0.06");
    client.set_all(bodies);
    const IBlock star = block_of(bodies, 0, 1, 0, 0);
    const Output out = client.run(star);
    const Expected e = evaluate(client.memory(), 3000, 0, star.particle(0));
    for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(out.acc[0][c], double(e.acc[c]), 0.036 * double(e.acc_size)) << c;
}

}  // namespace
}  // namespace g6test
