// SPDX-License-Identifier: MIT
// Blocks whose i-particles lie at such different distances that no unit of length suits all of
// them: each of them has a right force, whatever its scale is.
#include "../physics.h"

#include <cfenv>

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Strays);

Body lone_body(double x)
{
    Body lone;
    lone.index = 1;
    lone.mass = 0.05;
    lone.x = {-x, x / 3, 0};
    return lone;
}

// i-particles around the origin at these distances.
IBlock block_at(const std::vector<double> &distances)
{
    IBlock block;
    Random random(14);
    for (double r : distances)
        block.add(100 + block.size(), {0.6 * r, -0.8 * r, r * random(-0.5, 0.5)});
    return block;
}

// 1e-140, 1e-130 ... 1e300: at these distances the acceleration of a lone body of mass 0.05 is a
// double or, beyond 1e160, 0.
std::vector<double> ladder()
{
    std::vector<double> distances;
    for (int power = -140; power <= 300; power += 10) distances.push_back(std::pow(10, power));
    return distances;
}

TEST_P(Strays, three_i_particles_are_near_far_and_at_the_end_of_double)
{
    for (double x : {0.0, 4e-19}) {
        SCOPED_TRACE(x);
        client.reopen();
        client.set(0, lone_body(x));
        client.run_and_check(block_at({1, 1e17, 1e308}));
        client.run_and_check(block_at({1e308, 1e17, 1}));
    }
}

TEST_P(Strays, i_particles_have_all_distances_from_a_lone_body)
{
    for (const char *mode : {"hermite", "treewalk"})
        for (double x : {0.0, 1e-200, 4e-19}) {
            SCOPED_TRACE(testing::Message() << mode << " " << x);
            client.reopen();
            client.option("mode", mode);
            client.option("direct", "0");
            client.set(0, lone_body(x));
            client.run_and_check(block_at(ladder()));
        }
}

// Below 1e-90 the jerk of a speed near 1 is more than a double holds.
TEST_P(Strays, body_and_i_particles_move)
{
    Body lone = lone_body(0);
    lone.v = {0.5, -0.25, 0.125};
    lone.a2 = {0.25, 0.5, 0.75};
    client.set(0, lone);
    std::vector<double> distances;
    for (double r : ladder())
        if (r > 1e-90) distances.push_back(r);
    IBlock block = block_at(distances);
    Random random(15);
    for (Vec3 &v : block.v) v = random.vector(1);
    for (double ti : {0.0, 0.03125}) {
        client.set_ti(ti);
        client.run_and_check(block);
    }
}

// The time since the body's data is more than a double holds.
TEST_P(Strays, a_body_at_rest_has_its_place_at_any_time)
{
    Body lone = lone_body(0);
    lone.t = -1e300;
    client.set(0, lone);
    client.set_ti(std::numeric_limits<double>::max());
    client.run_and_check(block_at({1, 1e17, 1e302}));
    client.set_ti(0);
}

// Two bodies 1e90 apart, with i-particles around both.
TEST_P(Strays, are_near_a_distant_body)
{
    Body near = lone_body(1), far = lone_body(1e90);
    far.index = 2;
    for (int first : {0, 1}) {
        client.set(first, near);
        client.set(1 - first, far);
        IBlock block = block_at({0.01, 1, 1e20});
        for (double x : {-0.9e90, -1.1e90, -2e90}) block.add(200, {x, 0.3e90, 0});
        client.run_and_check(block);
    }
}

TEST_P(Strays, have_their_neighbours)
{
    for (int k = 0; k < 5; ++k) {
        Body body = lone_body(1e-19 * k);
        body.index = 9 - k;
        client.set(2 * k, body);  // between them are empty slots
    }
    IBlock block = block_at({1e-19, 1, 1e16, 1e200});
    for (int k = 0; k < block.size(); ++k) {
        const Vec3 &x = block.x[k];
        const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        block.h2[k] = k == 3 ? 1e300 : 1.01 * r2;  // the square of 1e200 is not a double
    }
    block.index[2] = 7;  // of a body
    client.run_and_check(block);
    client.expect_lists(block, 9);
    client.option("neighbour_self", "1");
    client.run_and_check(block);
    client.expect_lists(block, 9, {true, true});
}

// Softening sets the unit, in which the squares of radii and distances vanish.
TEST_P(Strays, have_their_neighbours_beside_a_huge_softening)
{
    if (client.precision() != "double") GTEST_SKIP() << "such a softening is refused";
    const std::vector<Body> bodies = resting_bodies(50, 17);
    client.set_all(bodies);
    client.option("neighbour_softened", "0");
    IBlock block = block_of(bodies, 0, 20, 0, 1e300, 0.25);
    block.x[3] = {};
    client.run_and_check(block);
    client.expect_lists(block, 50, {false, false});
}

// The squares of these radii are no doubles in the unit of the j-particles.
TEST_P(Strays, list_coincident_bodies_within_the_smallest_radius)
{
    std::vector<Body> bodies = in_units(resting_bodies(50, 18), 1e60, 1, 1);
    IBlock block = block_of(bodies, 0, 8, 0, 0, 1e-300);
    block.x[5] = {1e60, 0, 0};
    bodies[20].x = block.x[5];
    client.set_all(bodies);
    for (int &index : block.index) index += 100;
    client.run_and_check(block);
    client.expect_lists(block, 50);
}

// Bodies at 1e-150 and 1e-95 from i-particles that have coordinates of 0, and at the position of
// one that has none, whose next double is 1e-17 away.
TEST_P(Strays, list_bodies_at_tiny_distances_within_tiny_radii)
{
    std::vector<Body> bodies = resting_bodies(50, 19);
    bodies[10].x = {1, 1e-150, 0};
    bodies[20].x = {0, 1, 1e-95};
    bodies[30].x = {0.25, 0.5, 0.125};
    bodies[31].x = {0.25, 0.5, std::nextafter(0.125, 0.0)};
    client.set_all(bodies);
    IBlock block;
    block.add(101, {1, 0, 0});
    block.add(102, {0, 1, 0});
    block.add(103, bodies[30].x);
    for (double h2 : {4.95e-324, 2.3e-308, 0.9e-300, 1.1e-300, 0.9e-190, 1.1e-190}) {
        SCOPED_TRACE(h2);
        block.h2.assign(3, h2);
        client.run_and_check(block);
        client.expect_lists(block, 50);
    }
}

// A softened distance below 1e-90 typical lengths counts as 0 wherever it is: at the origin, where
// the host sums, and elsewhere.  An i-particle with a body's own index leaves that body out.
TEST_P(Strays, feel_no_body_nearer_than_the_smallest_distance)
{
    std::vector<Body> bodies = resting_bodies(50, 22);
    bodies[10].x = {0, 0, 0};
    bodies[20].x = {1, 0, 0};
    for (const char *mode : {"hermite", "treewalk"}) {
        client.reopen();
        client.option("mode", mode);
        client.option("theta", "0");
        client.set_all(bodies);
        IBlock far, near;
        for (double r : {1e-89, 1e-85}) far.add(-1, {0, 0.6 * r, 0.8 * r}, {1, 2, 3});
        client.run_and_check(far);
        for (double r : {1e-91, 1e-100, 1e-160, 1e-200, 1e-310})
            for (int body : {10, 20}) {
                const Vec3 &x = bodies[body].x;
                near.add(bodies[body].index, {x[0], 0.6 * r, 0.8 * r}, {1, 2, 3});
            }
        IBlock strangers = near;
        for (int &index : strangers.index) index = -1;
        client.expect_right(near, client.run(strangers, 50, Half::kLast));
    }
}

// Devices bring j-particles nearer that are beyond their range.  One of the three far bodies gets
// there by its velocity alone.
TEST_P(Strays, list_no_body_far_outside_a_wide_radius)
{
    client.allow_overflows();  // forces of the smallest system are beyond double
    for (const char *mode : {"hermite", "treewalk"})
        for (double size : {1e-17, 1e-20, 1e-25, 1e-155}) {
            client.reopen();
            client.option("mode", mode);
            client.option("theta", "0");
            std::vector<Body> bodies = in_units(resting_bodies(13, 31), size, 1, size);
            bodies[4].x = {0.5, 0.5, 0.5}, bodies[7].x = {-0.1, 0.9, 0.2};
            bodies[9].v = {0.3, -0.9, 0.1};
            client.set_all(bodies);
            client.set_ti(1);
            for (double h : {1e-3, 0.5, 0.88, 0.94, 1e9, 1e100, HUGE_VAL}) {
                SCOPED_TRACE(testing::Message() << mode << " " << size << " radius " << h);
                IBlock block;
                block.add(-1, {0.1 * size, 0, 0}, {}, h * h);
                block.add(-2, {0.1 * size, size, 0}, {}, size * size);
                block.add(-3, {0.1 * size, 0, size}, {}, 0);
                ASSERT_EQ(client.run(block).status, 0);
                client.expect_lists(block, 13);
            }
        }
}

// The devices sum for i-particles that have such radii, and not the host, whose sums have other
// bits.
TEST_P(Strays, are_not_made_by_tiny_radii)
{
    const std::vector<Body> bodies = moving_bodies(300, 20);
    client.set_all(bodies);
    const Output without = client.run(block_of(bodies, 0, 40, 0, 0, 0));
    for (double h2 : {4.95e-324, 1e-300, 1e-200}) {
        SCOPED_TRACE(h2);
        const IBlock block = block_of(bodies, 0, 40, 0, 0, h2);
        EXPECT_TRUE(same_bits(client.run(block), without));
        client.expect_lists(block, 300);
    }
}

// The i-particles that are no strays have the bits that they have without them.
TEST_P(Strays, change_nobody_elses_force)
{
    const std::vector<Body> bodies = moving_bodies(300, 16);
    client.set_all(bodies);
    for (const char *mode : {"hermite", "treewalk"}) {
        client.option("mode", mode);
        client.option("direct", "0");
        IBlock block = block_of(bodies, 0, 40);
        for (int k : {0, 17, 39}) block.x[k] = block.v[k] = {}, block.h2[k] = 0;
        const Output without = client.run(block);
        block.x[0] = {1e100, 1e99, 0};
        block.x[17] = {0, 1e306, -1e300};
        block.x[39] = {1e-120, 1e-130, 0};
        const Output with = client.run(block);
        for (int k = 0; k < 40; ++k) {
            if (k == 0 || k == 17 || k == 39) continue;
            EXPECT_EQ(with.acc[k], without.acc[k]) << k;
            EXPECT_EQ(with.jerk[k], without.jerk[k]) << k;
            EXPECT_EQ(with.pot[k], without.pot[k]) << k;
            EXPECT_EQ(with.nearest[k], without.nearest[k]) << k;
        }
        const double total = [&] {
            double sum = 0;
            for (const Body &b : bodies) sum += b.mass;
            return sum - bodies[17].mass;  // its own
        }();
        EXPECT_NEAR(with.pot[17], -total / 1e306, 1e-10 * total / 1e306);
    }
}

// The block has the j-particles of its firsthalf and all outputs.
TEST_P(Strays, belong_to_their_firsthalf)
{
    client.set(0, lone_body(0));
    const IBlock block = block_at({1, 1e17, 1e200});
    client.run_and_check(block);
    client.first(block, 1);
    const Memory then = client.memory();
    Body other = lone_body(0.5);
    other.index = 77;
    other.mass = 3;
    client.set(0, other);
    client.expect_right(block, 1, client.last(block, 1), then, 0);
    client.run_and_check(block);
    client.first(block, 1);
    Output out = client.last(block, 1, Half::kLast);
    client.expect_right(block, 1, out);
    const auto blocks = [&] {
        g6_stats stats{};
        stats.size = sizeof stats;
        EXPECT_EQ(g6_get_stats(client.id(), &stats), G6_OK);
        return stats.blocks;
    };
    const auto before = blocks();
    out = client.last(block, 1);
    client.expect_right(block, 1, out);
    EXPECT_EQ(blocks(), before) << "it is the same block";
    client.expect_right(block_at({1, 1, 1}), 1, client.run(block_at({1, 1, 1})));
}

// As in programs that are built with -ffpe-trap=invalid,zero,overflow.
TEST_P(Strays, stop_no_program_that_traps_overflows)
{
#if defined(__GLIBC__) && defined(__x86_64__)
    client.set(0, lone_body(0));
    const IBlock block = block_at({1e-140, 1, 1e17, 1e308});
    client.run(block);  // a driver may trap while it starts
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    const Output out = client.run(block);
    const int traps = fegetexcept();
    fedisableexcept(FE_ALL_EXCEPT);
    EXPECT_EQ(traps, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    client.expect_right(block, out);
#else
    GTEST_SKIP() << "no way to trap exceptions here";
#endif
}

TEST_P(Strays, have_zeros_where_nobody_acts)
{
    const IBlock block = block_at({1, 1e17, 1e200});
    client.expect_right(block, 0, client.run(block, 0));
    client.set(0, lone_body(0));
    client.expect_right(block, 0, client.run(block, 0));
}

TEST_P(Strays, have_no_jerk_and_no_neighbour_in_treeonly)
{
    client.option("mode", "treeonly");
    Body lone = lone_body(0);
    lone.v = {1, 1, 1};
    client.set(0, lone);
    const IBlock block = block_at({1, 1e17, 1e200});
    const Output out = client.run(block);
    for (int k = 0; k < 3; ++k) {
        const Vec3 &x = block.x[k];
        const double r = std::hypot(x[0], x[1], x[2]);
        EXPECT_NEAR(out.pot[k], -lone.mass / r, 1e-6 * lone.mass / r) << k;
        EXPECT_EQ(out.jerk[k], Vec3{}) << k;
        EXPECT_EQ(out.nearest[k], 0) << k;
    }
}

}  // namespace
}  // namespace g6test
