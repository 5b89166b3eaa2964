// SPDX-License-Identifier: MIT
// Forces of systems in which i-particles of one block need different care: close pairs, their own
// slots, empty slots, heavy ones among light ones, clumps far apart.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Care);

// Devices share the i-particles of a block, and so what an i-particle gets must not depend on
// which others are there: some of these need more care than the one beside them.
TEST_P(Care, gives_the_same_bits_in_any_company)
{
    const int n = 700, ni = 150;
    std::vector<Body> bodies = moving_bodies(n, 41);
    bodies[300].x = bodies[301].x;
    bodies[302].x[0] = bodies[303].x[0] + 1e-9;
    bodies[304].x = {1e9, 0, 0};
    for (int k = 0; k < n; ++k)
        if (k % 97 != 5) client.set(k, bodies[k]);  // with empty slots
    client.set_ti(0.03125);
    IBlock block, other;
    for (int k = 0; k < ni; ++k) {
        const Body &b = bodies[4 * k];
        block.add(b.index, b.x, b.v);
        if (k % 2)
            other.add(bodies[300 + k].index, bodies[300 + k % 5].x, bodies[300 + k].v);
        else
            other.add(b.index, b.x, b.v);
    }
    const Output alone = client.run(block, n), mixed = client.run(other, n);
    client.expect_right(block, n, alone);
    client.expect_right(other, n, mixed);
    for (int k = 0; k < ni; k += 2) {
        ASSERT_EQ(alone.acc[k], mixed.acc[k]) << k;
        ASSERT_EQ(alone.jerk[k], mixed.jerk[k]) << k;
        ASSERT_EQ(alone.pot[k], mixed.pot[k]) << k;
        ASSERT_EQ(alone.nearest[k], mixed.nearest[k]) << k;
    }
}

// A heavy i-particle among light ones: its own mass must leave no trace in its sums, whatever
// products its slot takes part in.
TEST_P(Care, of_light_bodies_on_a_heavy_one_is_exact)
{
    const int n = 500;
    std::vector<Body> bodies = moving_bodies(n, 43);
    for (int k = 0; k < n; ++k) bodies[k].mass = k % 100 == 7 ? 1.0 : 1e-6;
    client.set_all(bodies);
    for (double eps2 : {0.0, 1e-4}) client.run_and_check(block_of(bodies, 0, 200, 0, eps2));
}

// Clumps far from each other and from the origin, with pairs that are close in each.
TEST_P(Care, is_right_in_clumps_far_apart)
{
    const int n = 600;
    for (double distance : {1e2, 1e4, 1e6}) {
        SCOPED_TRACE(distance);
        std::vector<Body> bodies = resting_bodies(n, 44);
        Random random(45);
        for (int k = 0; k < n; ++k) {
            bodies[k].v = random.vector(1);
            if (k % 10 == 1) {
                bodies[k].x = bodies[k - 1].x;
                bodies[k].x[1] += 0x1p-13;
            }
            bodies[k].x[0] += k % 3 * distance;
        }
        client.reopen();
        client.set_all(bodies);
        client.run_and_check(block_of(bodies, 0, 130, 0, 0));
    }
}

// Two clusters on one device, each with a block under way, every block larger than the one before.
TEST_P(Care, is_right_in_two_clusters_whose_blocks_grow)
{
    Client other(GetParam());
    const std::vector<Body> bodies = moving_bodies(1000, 5);
    client.set_all(bodies);
    other.set_all(bodies);
    for (int n = 8; n <= 500; n += n / 2) {
        const IBlock a = block_of(bodies, 0, n), b = block_of(bodies, 0, n + n / 4);
        client.first(a, 1000);
        other.first(b, 1000);
        client.expect_right(a, 1000, client.last(a, 1000));
        other.expect_right(b, 1000, other.last(b, 1000));
    }
}

}  // namespace
}  // namespace g6test
