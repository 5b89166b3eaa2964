// SPDX-License-Identifier: MIT
// Neighbour lists of many particles, far from the origin, and step after step.  The rules of
// g6check and g6fuzz ask what belongs into a list.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Lists);

// A client that reads them at every step, which backends learn; one step has thousands of entries.
TEST_P(Lists, can_be_read_step_after_step)
{
    std::vector<Body> bodies = moving_bodies(2000, 34);
    client.set_all(bodies);
    double ti = 0.125;
    for (int ni : {1, 1, 3, 16, 17, 40, 5, 5, 2, 1}) {
        SCOPED_TRACE(ni);
        ti += 1.0 / 1024;
        client.set_ti(ti);
        for (double h2 : {0.01, ni == 5 ? 400.0 : 0.04}) {
            bodies[7].x[0] += 0.25;
            client.set(7, bodies[7]);
            const IBlock block = block_of(bodies, 5, ni, ti, 1e-4, h2);
            client.run_and_check_with_lists(block);
        }
    }
}

// More i-particles than the first shape of a search takes, in slices that have more entries than
// others.  On a grid of 2^-4 every r2 is exact, and many are h2 itself.
TEST_P(Lists, of_thousands_of_particles_far_from_the_origin)
{
    Random random(31);
    const Vec3 origin = {1e6, -0x1p21, 3e5};
    const auto on_grid = [&] {
        Vec3 x;
        for (int c = 0; c < 3; ++c) x[c] = origin[c] + std::floor(random(-8, 8)) / 16;
        return x;
    };
    for (int k = 0; k < 400; ++k) client.set_point(k, body_at(k, on_grid()));
    client.set_point(400, body_at(400, {1e9, 1e9, -1e9}));
    IBlock block;
    for (int k = 0; k < 4500; ++k) {
        const double h2 = k % 900 == 7   ? 1e25
                          : k % 900 == 8 ? 1e-30
                                         : std::floor(random(0, 30)) / 256;
        block.add(k % 450, k % 1000 == 9 ? Vec3{1e9, 1e9, 0} : on_grid(), {}, h2);
    }
    client.run(block);
    client.expect_lists(block, 401);
}

}  // namespace
}  // namespace g6test
