// SPDX-License-Identifier: MIT
// j-particle memory: bulk loads, and holes.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(JMemory);

// One derivative is enough to move a particle: v, aby2, a1by6 or a2by18 alone.
TEST_P(JMemory, bulk_load_moves_particles_by_each_derivative)
{
    const int n = 20;
    Random random(16);
    for (const auto derivative : {&Body::v, &Body::a2, &Body::j6, &Body::k18}) {
        client.reopen();
        std::vector<Body> bodies = resting_bodies(n, 16);
        std::vector<double> mass(n);
        std::vector<Vec3> x(n), some(n);
        for (int k = 0; k < n; ++k) {
            bodies[k].*derivative = some[k] = random.vector(1);
            bodies[k].index = k;
            mass[k] = bodies[k].mass, x[k] = bodies[k].x;
            client.mutable_memory()[k] = bodies[k];
        }
        const auto array = [&](Vec3 Body::*which) {
            return which == derivative ? rows(some) : nullptr;
        };
        EXPECT_EQ(g6_set_j_particles(client.id(), n, nullptr, nullptr, nullptr, mass.data(),
                                     array(&Body::k18), array(&Body::j6), array(&Body::a2),
                                     array(&Body::v), rows(x)),
                  0);
        client.set_ti(1);
        client.run_and_check(block_of(bodies, 0, n, 1));
    }
}

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

}  // namespace
}  // namespace g6test
