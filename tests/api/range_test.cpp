// SPDX-License-Identifier: MIT
// Systems whose lengths, masses or velocities differ by many powers of ten.  Devices compute
// realistic systems, in units that the library chooses.  Where the arithmetic of a device cannot
// hold some values in these units, the host sums the i-particles or the block, or refuses the
// block.
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

class HostSumsTest : public Physics {
protected:
    void SetUp() override
    {
        Physics::SetUp();
        client.allow_overflows();
    }
    // Runs the block and checks all results; the host must have summed `most` i-particles or fewer,
    // and at least one.
    void expect_host_sums(const IBlock &block, int most)
    {
        const double before = client.overflows();
        client.run_and_check_with_lists(block);
        const double sums = client.overflows() - before;
        EXPECT_GE(sums, 1);
        EXPECT_LE(sums, has_doubles() ? most : block.size());
    }
    // Without them the host sums i-particles now and then.
    bool has_doubles() const { return GetParam().isa != "nodouble"; }
    void expect_no_host_sums(const IBlock &block, int nj)
    {
        const double before = client.overflows();
        client.expect_right(block, nj, client.run(block, nj));
        EXPECT_LE(client.overflows(), before + (has_doubles() ? 0 : block.size()));
    }
    void expect_refusal(const IBlock &block, const char *text)
    {
        const Output out = client.run(block);
        EXPECT_EQ(out.status, G6_ERR_ARGUMENT);
        EXPECT_TRUE(last_error_has(text));
        EXPECT_EQ(out.pot, std::vector<double>(block.size(), 0.0));
        EXPECT_EQ(out.acc, std::vector<Vec3>(block.size(), Vec3{}));
        EXPECT_EQ(out.jerk, std::vector<Vec3>(block.size(), Vec3{}));
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        for (int k = 0; k < block.size(); ++k) EXPECT_TRUE(client.list(k).empty());
        // A lasthalf without a firsthalf is a block of its own, and leaves nothing for the next
        // one.
        for (int k = 0; k < 2; ++k)
            EXPECT_EQ(client.last(block, client.nj()).status, G6_ERR_ARGUMENT) << k;
    }
};

G6_SUITE(HostSumsTest, HostSums);

TEST_P(HostSums, are_those_of_far_and_fast_i_particles_alone)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(300, 6));
    for (const char *mode : {"hermite", "treewalk"}) {
        client.use_mode(mode);
        IBlock block = block_of(bodies, 0, 40);
        for (int k : {0, 17, 39}) block.x[k] = block.v[k] = {}, block.h2[k] = 0;
        const Output without = client.run(block);
        block.x[0] = {1e100, 1e99, 0};
        block.v[17] = {0, 1e150, -1e200};
        block.x[39] = {1e12, 0, 0};
        block.h2[39] = 1.1e24;
        expect_host_sums(block, 6);
        const Output with = client.run(block);
        for (int k = 0; k < 40; ++k) {
            if (k == 0 || k == 17 || k == 39) continue;
            EXPECT_EQ(with.acc[k], without.acc[k]) << k;
            EXPECT_EQ(with.jerk[k], without.jerk[k]) << k;
            EXPECT_EQ(with.pot[k], without.pot[k]) << k;
            EXPECT_EQ(with.nearest[k], without.nearest[k]) << k;
        }
    }
}

TEST_P(HostSums, leave_a_velocity_that_is_no_number_to_its_own_jerk)
{
    const std::vector<Body> bodies = client.set_all(resting_bodies(300, 6));
    IBlock block = block_of(bodies, 0, 20);
    for (int k = 0; k < 20; ++k) block.v[k] = {1, 0.3 * k, -1};
    const Output right = client.run(block);
    block.v[7] = {1e150, 0.5, std::numeric_limits<double>::quiet_NaN()};
    const Output out = client.run(block);
    EXPECT_EQ(out.status, 0);
    IParticle at_rest = block.particle(7);
    at_rest.v = {};
    const Expected e = client.expected(300, at_rest);
    const Allowed allowed(e, tolerance(client.precision()));
    EXPECT_TRUE(within("acc", e.acc, out.acc[7], allowed.acc));
    EXPECT_TRUE(within("pot", e.pot, out.pot[7], allowed.pot));
    for (double jerk : out.jerk[7]) EXPECT_TRUE(std::isnan(jerk));
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(k == 7 || out.jerk[k] == right.jerk[k]) << k;
}

// Below the limit devices compute.
TEST_P(HostSums, are_those_of_a_softening_beyond_the_system)
{
    const std::vector<Body> bodies = client.set_all(resting_bodies(300, 10));
    for (double eps2 : {1e-44, 1e-30, 1e10, 1e20, 1e30, 1e58, 1e160}) {
        SCOPED_TRACE(eps2);
        IBlock block = block_of(bodies, 100, 20, 0, eps2, 0);
        block.x[7] = bodies[120].x;  // coincident, with another index
        if (eps2 > 1e40)
            expect_host_sums(block, 20);
        else
            expect_no_host_sums(block, 300);
    }
}

// The block, where one position, mass or velocity is far beyond the others.
TEST_P(HostSums, are_those_of_the_block_where_no_units_serve_the_j_particles)
{
    for (const char *mode : {"hermite", "treewalk"})
        for (int kind = 0; kind < 4; ++kind)
            for (double extreme : {1e40, 1e100}) {
                SCOPED_TRACE(testing::Message() << mode << " " << kind << " " << extreme);
                client.reopen();
                client.use_mode(mode);
                std::vector<Body> bodies = moving_bodies(50, 32);
                for (Body &b : bodies) b.t = 0;
                Body &odd = bodies[10];
                if (kind == 0) odd.x = {extreme, -0.1 * extreme, 0};
                if (kind == 1) odd.mass = extreme;
                if (kind == 2) odd.v = {extreme, 0, -extreme};
                if (kind == 3) bodies = in_units(bodies, extreme, 1, 1);
                client.set_all(bodies);
                const double h2 = kind == 3 ? 0.25 * extreme * extreme : 0.25;
                IBlock block = block_of(bodies, 0, 20, 0, 0, h2);
                block.add(odd.index, bodies[3].x, {}, 4 * h2);  // does not see it
                if (kind == 3 && extreme < 1e60) continue;      // these are units like any others
                expect_host_sums(block, 21);
                EXPECT_GE(client.overflows(), 21);
                // As soon as it is gone, devices compute.
                if (kind == 3) continue;
                client.set(10, moving_bodies(50, 32)[10]);
                expect_no_host_sums(block_of(bodies, 20, 20), 50);
            }
}

// One body's derivatives are not made for so long a prediction.  Devices mark its mass.
TEST_P(HostSums, are_those_of_the_block_where_a_j_particle_is_predicted_beyond_the_units)
{
    const std::vector<Body> bodies = moving_bodies(299, 8);
    for (const char *mode : {"hermite", "treewalk"})
        for (double mass : {1.0, 0.0})
            for (double snap : {1e14, 1e60, 1e200}) {
                SCOPED_TRACE(testing::Message() << mode << " " << mass << " " << snap);
                client.reopen(bodies);
                client.use_mode(mode);
                Body lost;
                lost.index = 1000;
                lost.mass = mass;
                lost.k18 = {snap, -snap, 1};
                client.set(299, lost);
                client.set_ti(1);
                IBlock block = block_of(bodies, 0, 20, 1, 1e-4, 0.25);
                block.h2[3] = 1e30;
                expect_host_sums(block, 20);
                expect_no_host_sums(block, 128);
                client.set_ti(0);
            }
}

// In float the product of this mass and this velocity overflows at that distance.  The block has
// the j-particles of its firsthalf and all outputs, also when it is collected twice.
TEST_P(HostSums, are_those_of_the_heaviest_body_and_the_fastest_i_particle)
{
    std::vector<Body> bodies = moving_bodies(60, 40);
    for (Body &b : bodies) b.x[1] += 30166;
    Body heavy;
    heavy.index = 1000, heavy.mass = 1.7e33;
    bodies.push_back(heavy);
    client.set_all(bodies);
    IBlock block;
    block.add(-1, {1, 1, 0}, {-7.5e16, -6.1e16, -5.9e16}, 4);
    block.add(-2, {0, 2, 1}, {7.5e16, 1e16, 0}, 9);
    block.add(-3, {1e100, 0, 0}, {}, 1.1e200);  // far away: the host sums it first
    const double before = client.overflows();
    client.run_and_check_with_lists(block);
    EXPECT_LE(client.overflows() - before, 3);  // each once
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

TEST_P(HostSums, are_refused_where_no_double_holds_a_prediction_or_a_force)
{
    std::vector<Body> bodies = resting_bodies(100, 8);
    bodies[40].k18 = bodies[70].k18 = {1e300, -1e300, 1};
    client.set_all(bodies);
    client.set_ti(1e10);
    expect_refusal(block_of(bodies, 0, 20), "the j-particle at address 40");
    double x[41][3], v[41][3];
    EXPECT_EQ(g6_predict(client.id(), 41, x, v), G6_ERR_ARGUMENT);
    EXPECT_NE(std::string(g6_last_error()).find("the j-particle at address 40"), std::string::npos);
    EXPECT_EQ(x[39][0], 0);
    EXPECT_EQ(x[40][0], 0);
    EXPECT_EQ(v[40][0], 0);
    EXPECT_EQ(g6_predict(client.id(), 40, x, v), G6_OK);
    EXPECT_EQ(x[39][0], bodies[39].x[0]);
    client.set_ti(0);
    client.run_and_check(block_of(bodies, 0, 20));
    bodies[40].k18 = bodies[70].k18 = {};
    bodies[40].mass = 1e300;
    client.set_all(bodies);
    IBlock block;
    block.add(-1, bodies[3].x);
    block.add(-2, {bodies[40].x[0] + 1e-9, bodies[40].x[1], bodies[40].x[2]});
    expect_refusal(block, "i-particle 1");
    bodies[40].mass = 1;
    client.set_all(bodies);
    client.run_and_check(block);
}

}  // namespace
}  // namespace g6test
