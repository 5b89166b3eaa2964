// SPDX-License-Identifier: MIT
// acc, jerk and pot: softening, close pairs, units, own indices, any number of i-particles.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Force);

// Backends have kernels for few and for many i-particles, and several ways to send changes.
TEST_P(Force, is_right_for_blocks_and_changes_of_any_size)
{
    const int n = 600;
    std::vector<Body> bodies = client.set_all(moving_bodies(n, 31));
    Random random(32);
    double ti = 0.125;
    for (int ni : {1, 2, 3, 4, 5, 16, 17, 65})
        for (int changed : {0, 1, 2, 3, 4, 5, 17, 65, 300}) {
            SCOPED_TRACE(std::to_string(ni) + " i, " + std::to_string(changed) + " changed");
            const int first = static_cast<int>(random(0, n - changed));
            for (int k = first; k < first + changed; ++k) {
                Body &b = bodies[k];
                b.x = random.vector(1), b.v = random.vector(1), b.k18 = random.vector(1);
                b.mass = random(0, 1), b.t = ti;
                client.set(k, b);
            }
            ti += 1.0 / 1024;
            client.set_ti(ti);
            client.run_and_check(block_of(bodies, static_cast<int>(random(0, n - ni)), ni, ti));
        }
}

// Particles at the origin tell no length; the i-particle and the softening do.
TEST_P(Force, of_particles_at_the_origin_is_right_in_any_units)
{
    for (double unit : {1e-21, 1.0, 1e19}) {
        client.reopen();
        client.set(0, body_at(1, {0, 0, 0}));
        IBlock block;
        block.eps2 = 0.25 * unit * unit;
        block.add(-5, {unit, 0, 0}, {}, 0);
        block.add(-6, {0, 0, 0}, {}, 0);
        client.run_and_check(block);
    }
}

// Closer still, among more particles than a vector loop holds: r^-5 leaves the range of float, and
// a softening that is tinier than the separation changes nothing about that.
TEST_P(Force, very_close_pairs_keep_their_relative_accuracy_with_or_without_a_tiny_softening)
{
    std::vector<Body> bodies = resting_bodies(600, 25);
    for (Body &b : bodies) b.v = {b.x[1], -b.x[0], 0.5};
    client.set_all(bodies);
    for (double separation : {1e-9, 1e-11, 1e-13})
        for (double eps2 : {0.0, 1e-34, 1e-26, 1e-17}) {
            SCOPED_TRACE(testing::Message() << separation << " " << eps2);
            IBlock block;
            block.eps2 = eps2;
            for (int k = 0; k < 5; ++k) {
                Vec3 x = bodies[100 * k].x;
                x[k % 3] += separation;
                block.add(-k, x, {-1, 2, 0.5});
            }
            client.run_and_check(block);
        }
}

// Positions cut into two floats have 48 bits of a coordinate of 1e4: 4e-11 of these separations.
TEST_P(Force, close_pairs_far_from_the_origin_keep_their_relative_accuracy)
{
    std::vector<Body> bodies = resting_bodies(600, 26);
    for (Body &b : bodies) b.x[0] += 1e4;
    client.set_all(bodies);
    for (double separation : {1e-5, 1e-6}) {
        SCOPED_TRACE(separation);
        IBlock block;
        for (int k = 0; k < 8; ++k) {
            Vec3 x = bodies[70 * k].x;
            x[k % 3] += separation;
            block.add(-k, x, {-1, 2, 0.5});
        }
        client.run_and_check(block);
    }
}

struct Units {
    const char *name;
    double length, mass, velocity;
};

// cgs: a globular cluster of 1e33 g stars (with G in the mass) over 1e21 cm; and units in which
// everything is tiny. The results pass through ranges that a float does not have: m/r^3 = 1e-30,
// jerk = 1e-23, r^2 = 1e42.  They change within a run; the client may clear its slots with zeros
// first, as NBODY codes do.
TEST_P(Force, is_as_accurate_in_any_units)
{
    const Units units[] = {{"N-body", 1, 1, 1},
                           {"cgs", 1e21, 1e33, 1e7},
                           {"long", 1e21, 1, 1},
                           {"heavy", 1, 1e33, 1e16},
                           {"tiny", 1e-15, 1e-15, 1e-15},
                           {"small masses", 1, 1e-15, 1e-8},
                           {"small lengths", 1e-15, 1, 1},
                           {"slow", 1, 1, 1e-15},
                           {"SI", 3e16, 1.3e20, 1e3}};
    int cleared = 0;
    for (const Units &u : units) {
        SCOPED_TRACE(u.name);
        const std::vector<Body> bodies =
            in_units(moving_bodies(60, 13), u.length, u.mass, u.velocity);
        const double ti = 0.125 * u.length / u.velocity;
        const IBlock block =
            block_of(bodies, 0, 20, ti, 1e-4 * u.length * u.length, 0.25 * u.length * u.length);
        if (cleared++ % 2) {
            for (int k = 0; k < 60; ++k) client.set(k, body_at(k + 1, {0, 0, 0}, 0));
            client.run_and_check(block);
        }
        client.set_all(bodies);
        client.set_ti(ti);
        client.run_and_check_with_lists(block);
        client.run_and_check(block_of(bodies, 0, 20, ti, 0.0));
    }
}

// Without any write in between: nj alone decides which units the acting particles have.
TEST_P(Force, units_may_differ_between_the_slots_below_nj_and_those_beyond)
{
    std::vector<Body> bodies = moving_bodies(300, 26);
    const std::vector<Body> large = in_units(bodies, 1e21, 1e33, 1e7);
    for (int k = 30; k < 300; ++k) bodies[k] = large[k];
    for (int k = 0; k < 30; ++k) bodies[k].t = 0;
    client.set_all(bodies);
    for (int round = 0; round < 3; ++round) {
        const IBlock small_block = block_of(bodies, 0, 10),
                     block = block_of(bodies, 40, 10, 0, 1e38, 1e41);
        client.expect_right(small_block, 30, client.run(small_block, 30));
        client.expect_right(block, 300, client.run(block, 300));
    }
}

// Sizes on either side of every vector width and tile.
TEST_P(Force, any_numbers_of_i_and_j_particles)
{
    const std::vector<Body> bodies = client.set_all(moving_bodies(300, 17));
    for (int nj : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 255, 257, 300})
        for (int ni : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17}) {
            SCOPED_TRACE("ni " + std::to_string(ni) + ", nj " + std::to_string(nj));
            const IBlock block = block_of(bodies, 0, ni);
            client.expect_right(block, nj, client.run(block, nj));
        }
}

TEST_P(Force, leaves_out_the_own_index_in_any_slot)
{
    std::vector<Body> bodies = moving_bodies(1500, 33);
    // In no order, so that any tile may have anybody's.
    for (int k = 0; k < 1500; ++k) bodies[k].index = k * 977 % 1500;
    client.set_all(bodies);
    for (int ni : {1, 10, 100, 700}) client.run_and_check(block_of(bodies, 300, ni));
    // Exchanged between slots that are far apart.
    for (int k = 0; k < 700; ++k) std::swap(bodies[k].index, bodies[k + 750].index);
    client.set_all(bodies);
    for (int ni : {1, 10, 100}) client.run_and_check(block_of(bodies, 300, ni));
    // Two neighbouring slots with each of most indices.
    for (int k = 0; k < 1500; ++k) bodies[k].index = (k ^ 1) % 7 == 0 ? k / 2 : k / 2 * 2;
    client.set_all(bodies);
    for (int ni : {1, 10, 100}) client.run_and_check(block_of(bodies, 300, ni));
}

}  // namespace
}  // namespace g6test
