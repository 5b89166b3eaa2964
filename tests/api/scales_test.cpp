// SPDX-License-Identifier: MIT
// Values that leave the range of float, among many that do not: the largest ones decide about the
// units of a device.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Scales);

// The one heavy body, before or after the others were written, by either call.
TEST_P(Scales, one_heavy_body_among_light_ones_keeps_its_force)
{
    const std::vector<Body> bodies = resting_bodies(300, 1);
    for (double mass : {1e10, 1e30})
        for (bool point : {false, true})
            for (int heavy : {0, 150, 299}) {
                SCOPED_TRACE(testing::Message() << mass << " at " << heavy << point);
                client.reopen();
                for (int k = 0; k < 300; ++k) {
                    Body b = bodies[k];
                    if (k == heavy) b.mass = mass;
                    point ? client.set_point(k, b) : client.set(k, b);
                }
                IBlock block = block_of(bodies, 100, 20);
                client.run_and_check(block);
                block.v.assign(20, Vec3{});
                client.run_and_check(block);
            }
}

TEST_P(Scales, one_fast_body_among_slow_ones_keeps_its_jerk)
{
    std::vector<Body> bodies = resting_bodies(300, 2);
    for (int fast : {0, 299}) {
        client.reopen();
        for (int k = 0; k < 300; ++k) {
            Body b = bodies[k];
            if (k == fast) b.v = {0, 1e45, 0};
            client.set(k, b);
        }
        client.run_and_check(block_of(bodies, 100, 20));
    }
}

// The device computes it in its own units.
TEST_P(Scales, of_a_device_do_not_show_in_the_distance_of_the_nearest)
{
    for (double length : {1.0, 1e21, 1e-15}) {
        SCOPED_TRACE(length);
        client.reopen();
        client.set_all(in_units(resting_bodies(300, 4), length, 1, 1));
        IBlock block = block_of(in_units(resting_bodies(300, 4), length, 1, 1), 0, 40, 0,
                                1e-4 * length * length, 0);
        Output out(40);
        std::vector<float> distance(40);
        client.first(block, 300);
        out.status =
            g6calc_lasthalf2p(client.id(), 300, 40, block.index.data(), rows(block.x),
                              rows(block.v), block.eps2, block.h2.data(), rows(out.acc),
                              rows(out.jerk), out.pot.data(), out.nearest.data(), distance.data());
        client.expect_right(block, out);
        for (int k = 0; k < 40; ++k) {
            const Expected e = evaluate(client.memory(), 300, 0, block.particle(k));
            const double r = double(std::sqrt(e.nearest_r2 + block.eps2));
            EXPECT_NEAR(distance[k], r, 2 * kFloatDistance * r);
        }
    }
}

}  // namespace
}  // namespace g6test
