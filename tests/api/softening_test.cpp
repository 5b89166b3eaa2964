// SPDX-License-Identifier: MIT
// Softenings of j-particles: forces, neighbours and lists of pairs with eps_ij^2 = eps_i^2 +
// eps_j^2, and what changes between blocks.
#include "softening.h"

#include <algorithm>
#include <cmath>

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Softening);

TEST_P(Softening, of_each_pair_is_that_of_both_particles)
{
    const std::vector<Body> bodies = moving_bodies(500, 1);
    client.set_all(bodies);
    client.set_ti(0.125);
    for (const int different : {2, 5}) {
        SCOPED_TRACE(different);
        client.soften(softenings(500, different));
        for (const int n : {1, 3, 100})
            client.run_and_check_with_lists(block_of(bodies, 70, n, 0.125));
    }
}

TEST_P(Softening, acts_in_a_tree)
{
    const std::vector<Body> bodies = moving_bodies(3000, 2);
    client.set_all(bodies);
    client.set_ti(0.0625);
    client.soften(softenings(3000, 3));
    client.use_mode("treewalk");  // opens every cell
    client.run_and_check_with_lists(block_of(bodies, 0, 64, 0.0625));
    client.option("theta", "0.5");
    // Of the sum of |terms|, as in treewalk_systems_test.cpp.
    const IBlock block = block_of(bodies, 0, 300, 0.0625);
    client.expect_close(block, 3000, client.run(block), 0.01);
}

TEST_P(Softening, of_particles_by_mass_and_position_alone)
{
    const std::vector<Body> bodies = resting_bodies(200, 4);
    for (int k = 0; k < 200; ++k) client.set_point(k, bodies[k]);
    client.soften(softenings(200, 2));
    IBlock block = block_of(bodies, 0, 40);
    for (Vec3 &v : block.v) v = {0.5, 0, -0.25};
    Output out = client.run(block, 200);
    for (const Vec3 &jerk : out.jerk) EXPECT_EQ(jerk, Vec3{});
    // One other call, and jerks come, also of the pairs with the particles of that call's class.
    client.set(7, moving_bodies(10, 5)[7]);
    client.run_and_check_with_lists(block);
}

TEST_P(Softening, counts_where_a_list_is_softened_and_not_elsewhere)
{
    const std::vector<Body> bodies = moving_bodies(200, 6);
    client.set_all(bodies);
    client.soften(softenings(200, 3));
    for (const char *softened : {"0", "1"}) {
        client.option("neighbour_softened", softened);
        const IBlock block = block_of(bodies, 0, 30, 0, 0.01, 0.4);
        client.expect_right(block, 200, client.run(block, 200));
        client.expect_lists(block, 200, {false, softened[0] == '1'});
    }
}

// rnnb is the softened distance of the nearest neighbour, and by address a list has the order of
// the slots, which indices that fall with the address show.
TEST_P(Softening, gives_softened_distances_and_lists_by_address)
{
    std::vector<Body> bodies = moving_bodies(120, 7);
    for (int k = 0; k < 120; ++k) bodies[k].index = 1000 - k;
    client.set_all(bodies);
    for (const int different : {1, 4}) {
        SCOPED_TRACE(different);
        std::vector<double> eps2 = softenings(120, different);
        if (different == 1) eps2.assign(120, 0.25);
        client.soften(eps2);
        IBlock block = block_of(bodies, 0, 20, 0, 0.01, 1.0);
        client.first(block, 120);
        Output out(20);
        std::vector<float> r(20);
        ASSERT_EQ(g6calc_lasthalf2p(client.id(), 120, 20, block.index.data(), rows(block.x),
                                    rows(block.v), block.eps2, block.h2.data(), rows(out.acc),
                                    rows(out.jerk), out.pot.data(), out.nearest.data(), r.data()),
                  0);
        g6_set_neighbour_list_sort_mode(0);
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        for (int k = 0; k < 20; ++k) {
            const Expected e = client.expected(120, block.particle(k));
            const double distance = std::sqrt(double(e.nearest_r2) + block.eps2 +
                                              softening_of(client.softenings(), e.nearest_address));
            EXPECT_EQ(out.nearest[k], e.nearest_index);
            EXPECT_NEAR(r[k], distance, kFloatDistance * distance);
            std::vector<int> falling = e.neighbours;
            std::reverse(falling.begin(), falling.end());
            EXPECT_EQ(client.list(k), falling);
        }
        g6_set_neighbour_list_sort_mode(1);
    }
}

// The client's first block has no nearest neighbours or lists in its first half; the particles, the
// time and the softenings change before it asks for them.
TEST_P(Softening, of_a_block_stays_what_it_was_at_its_firsthalf)
{
    const std::vector<Body> bodies = moving_bodies(200, 11), others = moving_bodies(200, 12);
    client.set_all(bodies);
    client.soften(softenings(200, 3));
    const IBlock block = block_of(bodies, 0, 25);
    client.run(block, 200, Half::kLast);
    client.first(block, 200);
    const Memory memory = client.memory();
    const Softenings eps2 = client.softenings();
    client.set_all(others);
    client.soften(softenings(200, 4));
    client.set_ti(0.25);
    const Output out = client.last(block, 200);
    ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
    const Tolerance t = tolerance(client.precision());
    for (int k = 0; k < block.size(); ++k) {
        const Expected e = evaluate(memory, 200, 0, block.particle(k), {}, eps2);
        EXPECT_TRUE(within("acc", e.acc, out.acc[k], Allowed(e, t).acc));
        EXPECT_TRUE(within("jerk", e.jerk, out.jerk[k], Allowed(e, t).jerk));
        EXPECT_EQ(out.nearest[k], e.nearest_index);
        EXPECT_EQ(client.list(k), e.neighbours);
    }
    client.expect_right(block_of(bodies, 0, 25, 0.25), 200,
                        client.run(block_of(bodies, 0, 25, 0.25), 200));
}

// Strays are summed by the host: one i-particle so far off that the block's units cannot have it.
TEST_P(Softening, acts_on_what_the_host_sums)
{
    client.allow_overflows();  // one for each class, because the i-particle is too far for all
    const std::vector<Body> bodies = moving_bodies(100, 14);
    client.set_all(bodies);
    client.soften(softenings(100, 3));
    IBlock block = block_of(bodies, 0, 10);
    block.add(-1, {1e25, 0, 0}, {}, 1e60);
    const double before = client.overflows();
    client.run_and_check_with_lists(block);
    EXPECT_GT(client.overflows(), before);
}

}  // namespace
}  // namespace g6test
