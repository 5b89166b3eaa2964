// SPDX-License-Identifier: MIT
// Softenings of j-particles: forces, neighbours and lists of pairs with eps_ij^2 = eps_i^2 +
// eps_j^2.
#include "softening.h"

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

}  // namespace
}  // namespace g6test
