// SPDX-License-Identifier: MIT
// Values at the limits of float and double (libg6gpu/formulas/range.h): the sums are right, or what
// is out of range harms nobody else.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Range);

// A kernel may treat the i-particle `odd` with more care than before, and round it in another way.
void expect_same_but_for(int odd, const Output &out, const Output &right)
{
    for (size_t k = 0; k < out.pot.size(); ++k) {
        if (int(k) == odd) continue;
        EXPECT_EQ(out.acc[k], right.acc[k]) << k;
        EXPECT_EQ(out.jerk[k], right.jerk[k]) << k;
        EXPECT_EQ(out.pot[k], right.pot[k]) << k;
    }
}

// An i-particle that no j-particle's velocity tells of, and one that is too fast beside the others.
TEST_P(Range, one_fast_i_particle_keeps_its_jerk_and_harms_nobody)
{
    const std::vector<Body> bodies = moving_bodies(300, 6);
    client.set_all(bodies);
    const Output right = client.run(block_of(bodies, 0, 20));
    for (double speed : {1e12, 1e17, 1e20, 1e45, 1e200, 1e300}) {
        SCOPED_TRACE(speed);
        IBlock block = block_of(bodies, 0, 20);
        block.v[7] = {0, speed, 0};
        const Output out = client.run(block);
        client.expect_right(block, out);
        if (speed > 1e150) expect_same_but_for(7, out, right);
        client.expect_lists(block, 300);
    }
}

// One is far away, and one before it and one after it are fast.
TEST_P(Range, far_and_fast_i_particles_of_one_block_have_right_results)
{
    const std::vector<Body> bodies = moving_bodies(300, 6);
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 20);
    block.x[9] = {1e100, 0, 0};
    block.v[3] = {1e150, 0, 0}, block.v[12] = {0, -1e200, 0};
    client.run_and_check(block);
    client.expect_lists(block, 300);
    client.expect_right(block, client.last(block, 300));
}

// Of a velocity that is no number the finite components set no unit either.
TEST_P(Range, an_i_particle_with_half_a_velocity_harms_nobody)
{
    const std::vector<Body> bodies = resting_bodies(300, 6);
    client.set_all(bodies);
    IBlock block = block_of(bodies, 0, 20);
    for (int k = 0; k < 20; ++k) block.v[k] = {1, 0.3 * k, -1};
    const Output right = client.run(block);
    client.expect_right(block, right);
    block.v[7] = {1e150, 0.5, std::numeric_limits<double>::quiet_NaN()};
    const Output out = client.run(block);
    EXPECT_EQ(out.status, 0);
    expect_same_but_for(7, out, right);
    client.expect_pull(block, 7, out);
}

TEST_P(Range, resting_bodies_leave_the_unit_of_velocity_to_the_i_particles)
{
    client.set_all(resting_bodies(300, 7));
    for (double speed : {1e-35, 1.0, 1e30}) {
        SCOPED_TRACE(speed);
        IBlock block = block_of(resting_bodies(300, 7), 0, 20);
        for (int k = 0; k < 20; ++k) block.v[k] = {speed, 0.3 * speed * k, -speed};
        client.run_and_check(block);
    }
}

// The fast one may set the unit of velocity.  In mixed no unit serves both.
TEST_P(Range, slow_i_particles_beside_fast_ones_keep_their_jerk_in_double)
{
    if (client.precision() != "double") GTEST_SKIP() << "in precision double";
    client.set_all(resting_bodies(30, 8));
    for (double fast : {1e100, 1e250, 1e300})
        for (double slow : {1e-3, 1e-15}) {
            SCOPED_TRACE(testing::Message() << fast << " " << slow);
            IBlock block = block_of(resting_bodies(30, 8), 0, 3);
            block.v = {{0, fast, 0}, {0, slow, -slow}, {-fast, 0, fast}};
            client.run_and_check(block);
        }
}

// Half of the velocities, or of the masses, are absurd.  Those of the others set the units.
TEST_P(Range, one_fast_i_particle_of_two_harms_not_the_other)
{
    client.set_all(resting_bodies(300, 7));
    for (double speed : {1e17, 1e38, 1e45, 1e250}) {
        SCOPED_TRACE(speed);
        IBlock block = block_of(resting_bodies(300, 7), 0, 2);
        block.v = {{1, 0.5, 0}, {speed, 0, 0}};
        const Output out = client.run(block);
        ASSERT_EQ(out.status, 0);
        const Expected slow = evaluate(client.memory(), 300, 0, block.particle(0));
        EXPECT_TRUE(within("jerk", slow.jerk, out.jerk[0],
                           Allowed(slow, tolerance(client.precision())).jerk));
        const Expected fast = evaluate(client.memory(), 300, 0, block.particle(1));
        EXPECT_TRUE(within("jerk", fast.jerk, out.jerk[1],
                           Allowed(fast, tolerance(client.precision())).jerk));
    }
}

TEST_P(Range, one_extreme_body_of_two_harms_not_the_other)
{
    const std::vector<Body> two = resting_bodies(2, 32);
    for (double extreme : {1e30, 1e38, 1e45}) {
        SCOPED_TRACE(extreme);
        for (int kind = 0; kind < 2; ++kind) {
            client.reopen();
            std::vector<Body> bodies = two;
            if (kind == 0) {
                bodies[1].mass = extreme;
            } else {
                bodies[0].v = {0.3, 1, 0};
                bodies[1].v = {0, extreme, 0};
            }
            client.set_all(bodies);
            IBlock block;
            block.add(bodies[1].index, {0.1, 0.2, 0.3}, {});  // sees the usual one alone
            block.add(-1, {0.1, 0.2, 0.3}, {});
            client.run_and_check(block);
        }
    }
}

// A particle whose derivatives are not made for so long a prediction: x of 1e100, or no number.
TEST_P(Range, one_particle_predicted_out_of_range_harms_nobody)
{
    const std::vector<Body> bodies = resting_bodies(299, 8);
    for (double snap : {1e60, 1e300}) {
        SCOPED_TRACE(snap);
        client.reopen();
        client.set_all(bodies);
        Body lost;
        lost.mass = 1;
        lost.k18 = {snap, -snap, 1};
        lost.j6 = {-snap, snap, 1};
        client.set(299, lost);
        client.set_ti(1e10);
        const IBlock block = block_of(bodies, 0, 20);
        client.expect_right(block, 299, client.run(block, 299));
        const Output with = client.run(block, 300);
        for (int k = 0; k < 20; ++k) {
            client.expect_pull(block, k, with);
            for (double jerk : with.jerk[k]) EXPECT_NEAR(jerk, 0, 1e-30) << k;
        }
        client.set_ti(0);
    }
}

TEST_P(Range, a_particle_at_the_end_of_double_harms_nobody)
{
    for (double length : {1.0, 1e-13}) {
        SCOPED_TRACE(length);
        client.reopen();
        const std::vector<Body> bodies = in_units(resting_bodies(300, 9), length, 1, 1);
        client.set_all(bodies);
        Body lost = bodies[299];
        lost.x = {5e306, -1e300, 0};
        client.set(299, lost);
        const IBlock block = block_of(bodies, 0, 20, 0, 1e-4 * length * length, 0);
        client.expect_right(block, 299, client.run(block, 299));
        client.expect_right(block, 299, client.run(block, 300));
    }
}

// A body whose potential is that of all others together, though it is beyond the range of float.
TEST_P(Range, a_heavy_body_beyond_the_range_of_float_keeps_its_potential)
{
    const int n = 300;
    std::vector<Body> bodies = resting_bodies(n, 29);
    const double mass = bodies[0].mass;
    for (const char *mode : {"hermite", "treewalk"})
        for (double distance : {1e17, 1e19, 1e21, 1e25}) {
            SCOPED_TRACE(testing::Message() << mode << " " << distance);
            bodies[200].mass = 1e18 * mass;
            const Vec3 far = {0.1 * distance, -0.4 * distance, distance};
            bodies[200].x = far;
            client.set_ti(0);
            client.reopen();
            client.option("mode", mode);
            client.option("direct", "0");
            client.option("theta", "0");
            client.set_all(bodies);
            client.run_and_check(block_of(bodies, 0, 40));
            client.run_and_check(block_of(bodies, 0, 2));
            Body comes_to_rest_there = bodies[200];
            comes_to_rest_there.x = {0, 0, 0};
            comes_to_rest_there.v = scaled(far, 2);
            comes_to_rest_there.a2 = scaled(far, -1);
            client.set(200, comes_to_rest_there);
            client.set_ti(1);
            client.run_and_check(block_of(bodies, 0, 40));
        }
}

// The mass of slot 0 is no unit beside the largest, 2^84 times as heavy: m / r^3 is 2^130 in it.
TEST_P(Range, one_heavy_body_is_as_near_as_any)
{
    std::vector<Body> bodies = resting_bodies(3, 19);
    bodies[0].mass = bodies[1].mass = 0.05;
    bodies[2].mass = 1.1e24;
    client.set_all(bodies);
    IBlock block;
    for (double r : {1e-7, 2.5e-5, 1e-2, 1.0})
        block.add(-1, {bodies[2].x[0] + r, bodies[2].x[1], bodies[2].x[2] - r});
    client.run_and_check(block);
}

// The unit of the potential of a mass of 1e308 in a length of 1e-25 is no double.
TEST_P(Range, a_mass_at_the_end_of_double_leaves_the_pulls_of_others)
{
    if (client.precision() != "double") GTEST_SKIP() << "docs/architecture.md: others vanish";
    std::vector<Body> bodies = in_units(resting_bodies(20, 20), 1e-25, 1, 1);
    bodies[3].mass = 1e308;
    client.set_all(bodies);
    IBlock block;
    for (int index : {-1, bodies[3].index}) block.add(index, bodies[3].x);  // at the heavy body
    client.run_and_check(block);
}

// The only j-particle that moves sets the unit of velocity.  The unit of 1 / time of a velocity of
// 1e308 in a length of 1e-25 is no double.
TEST_P(Range, a_velocity_at_the_end_of_double_leaves_the_jerks_of_others)
{
    if (client.precision() != "double") GTEST_SKIP() << "docs/architecture.md: others vanish";
    std::vector<Body> bodies = in_units(resting_bodies(20, 20), 1e-25, 1, 1);
    bodies[3].mass = 0;
    bodies[3].v = {0, 0, 1e308};
    client.set_all(bodies);
    IBlock block;
    block.add(-1, bodies[5].x, {1e9, -2e9, 3e9});
    block.add(bodies[7].index, bodies[7].x, {0, 1, 0});
    client.run_and_check(block);
}

// In float the product of this mass and this velocity overflows at that distance.  The block has
// the j-particles of its firsthalf and all outputs, also when it is collected twice.
TEST_P(Range, the_heaviest_body_meets_the_fastest_i_particle)
{
    std::vector<Body> bodies = moving_bodies(60, 40);
    for (Body &b : bodies) b.x[1] += 30166;
    Body heavy;
    heavy.index = 1000, heavy.mass = 1.7e33;
    bodies.push_back(heavy);
    client.allow_overflows();
    client.set_all(bodies);
    IBlock block;
    block.add(-1, {1, 1, 0}, {-7.5e16, -6.1e16, -5.9e16}, 4);
    block.add(-2, {0, 2, 1}, {7.5e16, 1e16, 0}, 9);
    client.run_and_check(block);
    client.expect_lists(block, 61);
    client.first(block, 61);
    const Memory then = client.memory();
    heavy.mass = 1;
    client.set(60, heavy);
    client.expect_right(block, 61, client.last(block, 61), then, 0);
    client.run_and_check(block);
    heavy.mass = 1.7e33;
    client.set(60, heavy);
    client.first(block, 61);
    client.expect_right(block, 61, client.last(block, 61, Half::kLast));
    client.expect_right(block, 61, client.last(block, 61));
}

// Dozens or thousands of light particles near the origin do not determine the unit of length: two
// distant heavy ones exert the whole force.
TEST_P(Range, light_bodies_near_the_origin_leave_the_pull_of_heavy_ones)
{
    for (const char *mode : {"hermite", "treewalk"})
        for (int n : {20, 1000})
            for (double size : {1e-9, 1e-12, 1e-16, 1e-25, 1e-100})
                for (double mass : {0.0, 1e-25}) {
                    SCOPED_TRACE(testing::Message() << mode << n << " " << size << " " << mass);
                    client.reopen();
                    client.option("mode", mode);
                    client.option("theta", "0");
                    std::vector<Body> bodies = in_units(resting_bodies(n, 30), size, 1, 1);
                    for (Body &b : bodies) b.mass = mass, b.index = 7;
                    bodies[3].x = {0.2, 1.9, 0}, bodies[n - 2].x = {0.7, 0.3, 0.1};
                    bodies[3].mass = bodies[n - 2].mass = 1;
                    bodies[3].index = 100, bodies[n - 2].index = 101;
                    client.set_all(bodies);
                    IBlock block;
                    block.add(7, {0.1 * size, 0, 0}, {0.3, 0.1, 0}, 0.25);
                    block.add(7, {0.6, 0.3, 0.1}, {}, 0.25);
                    client.run_and_check(block);
                    client.expect_lists(block, n);
                }
}

// The only length of the j-particles is a rounding error, beside which all i-particles are far.
TEST_P(Range, a_lone_body_near_the_origin_pulls_distant_i_particles)
{
    const std::vector<Body> around = resting_bodies(20, 12);
    for (const char *mode : {"hermite", "treewalk"})
        for (double x : {1e-200, 4.09e-19, 1e-15, 1e-12}) {
            SCOPED_TRACE(testing::Message() << mode << " " << x);
            client.reopen();
            client.option("mode", mode);
            client.option("direct", "0");
            Body lone = around[0];
            lone.x = {-x, x / 3, 0};
            client.set(0, lone);
            IBlock block = block_of(around, 1, 19, 0, 0, 0);
            client.expect_right(block, 1, client.run(block, 1));
            for (double far : {1e15, 1e250}) {  // the second is out of the range of mixed
                block.x[3] = {far, 0, 0};
                const Output out = client.run(block, 1);
                for (int k : {0, 1, 2, 4, 18}) {
                    const std::array<double, 3> &r = block.x[k];
                    EXPECT_NEAR(out.pot[k], -lone.mass / std::hypot(r[0], r[1], r[2]),
                                1e-6 * -out.pot[k])
                        << k << " " << far;
                }
            }
        }
}

// The block has the lone body itself, too.
TEST_P(Range, a_lone_body_near_the_origin_is_one_of_the_i_particles)
{
    for (double x : {1e-17, 1e-15, 1e-12}) {
        SCOPED_TRACE(x);
        client.reopen();
        std::vector<Body> around = resting_bodies(20, 12);
        around[0].x = {-x, x / 3, 0};
        client.set(0, around[0]);
        const IBlock block = block_of(around, 0, 20, 0, 0, 0);
        client.expect_right(block, 1, client.run(block, 1));
    }
}

// Softening is the largest length of the system, or far below all of them.
TEST_P(Range, softening_may_have_any_size)
{
    const std::vector<Body> bodies = resting_bodies(300, 10);
    client.set_all(bodies);
    for (double eps2 : {1e-44, 1e-39, 1e-30, 1e20, 1e36, 1e39, 1e58, 1e160}) {
        SCOPED_TRACE(eps2);
        IBlock block = block_of(bodies, 100, 20, 0, eps2, 0);
        block.x[7] = bodies[120].x;  // coincident, with another index
        const Output out = client.run(block);
        if (eps2 < 1e60 || client.precision() == "double") {
            client.expect_right(block, out);
        } else {
            EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
            EXPECT_NE(std::string(g6_last_error()).find("softening"), std::string::npos);
            EXPECT_EQ(out.pot, std::vector<double>(20, 0.0));
        }
    }
}

TEST_P(Range, softening_too_small_for_double_counts_as_none)
{
    client.set_all(resting_bodies(300, 10));
    IBlock block = block_of(resting_bodies(300, 10), 100, 20, 0, 0, 0);
    block.x[7] = resting_bodies(300, 10)[120].x;
    const Output none = client.run(block);
    for (double eps2 : {2e-308, 5e-324, 1e-200}) {
        block.eps2 = eps2;
        const Output out = client.run(block);
        EXPECT_EQ(out.acc, none.acc) << eps2;
        EXPECT_EQ(out.pot, none.pot) << eps2;
    }
}

}  // namespace
}  // namespace g6test
