// SPDX-License-Identifier: MIT
// Systems whose lengths, masses or velocities differ by many powers of ten and which exist: devices
// compute them, in units that the library chooses.  range_host_test.cpp has what the host sums.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Range);

// Stars that have left their cluster: their forces, and those on the others.
TEST_P(Range, of_escapers)
{
    std::vector<Body> bodies = moving_bodies(300, 6);
    for (double distance : {1e3, 1e6, 1e9}) {
        SCOPED_TRACE(distance);
        bodies[7].x = {0.6 * distance, -0.8 * distance, 1};
        bodies[200].x = {0, 1, -distance};
        bodies[200].v = {3, 0, -30};
        client.set_all(bodies);
        client.run_and_check_with_lists(block_of(bodies, 0, 20, 0, 0.0));
        client.run_and_check(block_of(bodies, 190, 20));
    }
}

// Stars on orbits about a black hole of 1e4 and 1e10 of their masses, the nearest at 1e-6.
TEST_P(Range, of_a_massive_black_hole)
{
    for (double mass : {1e4, 1e10}) {
        SCOPED_TRACE(mass);
        client.reopen();
        std::vector<Body> bodies = resting_bodies(300, 29);
        bodies[0].x = bodies[0].v = {0, 0, 0};
        bodies[0].mass = mass * bodies[1].mass;
        for (int k = 1; k < 300; ++k) {
            const double r = std::pow(10.0, -6 + k % 7), v = std::sqrt(bodies[0].mass / r);
            bodies[k].x = scaled(bodies[k].x, r);
            bodies[k].v = {0.6 * v, -0.8 * v, 0.1 * v};
        }
        client.set_all(bodies);
        client.run_and_check(block_of(bodies, 0, 40, 0, 0.0));
        client.run_and_check(block_of(bodies, 150, 1, 0, 0.0));
    }
}

// Thousands of them, without mass or with next to none, and the two bodies that pull them.
TEST_P(Range, of_test_particles_about_heavy_bodies)
{
    for (const char *mode : {"hermite", "treewalk"})
        for (double mass : {0.0, 1e-30}) {
            SCOPED_TRACE(testing::Message() << mode << " " << mass);
            client.reopen();
            client.option("mode", mode);
            client.option("theta", "0");
            std::vector<Body> bodies = moving_bodies(1000, 30);
            for (Body &b : bodies) b.mass = mass;
            bodies[3].mass = bodies[998].mass = 1;
            client.set_all(bodies);
            client.run_and_check_with_lists(block_of(bodies, 0, 20));
        }
}

// At rest when they were sent, or but for rounding errors, and falling since.
TEST_P(Range, of_a_cold_clump_that_begins_to_fall)
{
    for (double noise : {0.0, 1e-17})
        for (double unit : {1.0, 3e18}) {  // the second in cm
            SCOPED_TRACE(testing::Message() << noise << " " << unit);
            client.reopen();
            Random random(5);
            std::vector<Body> bodies = resting_bodies(300, 31);
            for (Body &b : bodies) b.v = random.vector(noise), b.a2 = random.vector(0.5);
            bodies = in_units(bodies, unit, 1, 1);
            client.set_all(bodies);
            client.set_ti(1e-3 * unit);
            client.run_and_check(block_of(bodies, 0, 20, 1e-3 * unit, 1e-4 * unit * unit));
            client.set_ti(0);
        }
}

// Each pair as close as kira's closest ones, with the velocities and derivatives that belong to it.
TEST_P(Range, of_hard_binaries)
{
    std::vector<Body> bodies = moving_bodies(300, 33);
    for (Body &b : bodies) b.t = 0;
    for (int k : {0, 100, 298}) {
        const double r = 1e-9, m = bodies[k].mass, v = std::sqrt(m / r), rate = v / r;
        bodies[k + 1] = bodies[k];
        bodies[k + 1].index = k + 2;
        bodies[k + 1].x[0] += r;
        for (int side : {0, 1}) {
            Body &b = bodies[k + side];
            const double s = side ? 1 : -1;
            b.v[1] += s * v;
            b.a2[0] -= s * 0.5 * rate * v;
            b.j6[1] -= s * rate * rate * v / 6;
            b.k18[0] += s * rate * rate * rate * v / 18;
        }
    }
    client.set_all(bodies);
    const double ti = 1e-15;  // the period is some 1e-11
    client.set_ti(ti);
    for (int ni : {1, 2, 40}) client.run_and_check(block_of(bodies, 0, ni, ti, 0.0));
}

// A star at the centre whose position is a rounding error, in pc and in cm.
TEST_P(Range, of_a_lone_star_at_the_centre)
{
    for (double unit : {1.0, 3e18})
        for (double x : {0.0, 1e-10}) {
            SCOPED_TRACE(testing::Message() << unit << " " << x);
            client.reopen();
            std::vector<Body> around = in_units(resting_bodies(20, 12), unit, 1, 1);
            around[0].x = {-x * unit, x * unit / 3, 0};
            client.set(0, around[0]);
            const IBlock block = block_of(around, 0, 20, 0, 0, 0);
            client.expect_right(block, 1, client.run(block, 1));
        }
}

}  // namespace
}  // namespace g6test
