// SPDX-License-Identifier: MIT
// Units of a device where few particles tell what is typical: a lone mass among massless particles,
// a lone velocity among particles at rest, and particles that do not act at all.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(ScalesRare);

// Numbers of particles around that of the library's sample, 129.
constexpr int kNumbers[] = {5, 20, 1000};

// The block's i-particles have other indices than all bodies.
IBlock probes(int n)
{
    std::vector<Body> bodies = moving_bodies(n, 40);
    for (Body &b : bodies) b.index = -b.index;
    return block_of(bodies, 0, n);
}

// Slots from nj on are kept and do not act, whatever they hold: a mass, a velocity or a position.
TEST_P(ScalesRare, slots_from_nj_on_may_hold_any_number)
{
    for (double size : {1e30, 1e45, 1e60, 1e200, 1e300})
        for (int kind = 0; kind < 4; ++kind) {
            SCOPED_TRACE(testing::Message() << size << " of kind " << kind);
            client.reopen();
            std::vector<Body> bodies = moving_bodies(21, 41);
            Body &last = bodies.back();
            if (kind != 1) last.mass = size;
            if (kind == 1 || kind == 2) last.v = {0, size, 0};
            if (kind == 3) last.x = {size, 0, -size};
            client.set_all(bodies);
            const IBlock block = probes(6);
            client.expect_right(block, 20, client.run(block, 20));
            client.run(block, 21);
            client.expect_right(block, 20, client.run(block, 20));
            client.set(3, moving_bodies(4, 42)[3]);
            client.expect_right(block, 20, client.run(block, 20));
        }
}

// Masses of 1/1000 have a factor near 1000, which brings a mass of 1e36 out of the range of float.
TEST_P(ScalesRare, slots_from_nj_on_may_hold_a_mass_that_its_factor_brings_out_of_range)
{
    std::vector<Body> bodies = moving_bodies(1001, 45);
    for (Body &b : bodies) b.mass = 1e-3;
    for (double mass : {1e36, 9e37}) {
        SCOPED_TRACE(mass);
        bodies.back().mass = mass;
        client.reopen();
        client.set_all(bodies);
        for (int n : {3, 12}) {
            const IBlock block = probes(n);
            client.expect_right(block, 1000, client.run(block, 1000));
        }
    }
}

TEST_P(ScalesRare, one_mass_among_massless_particles_acts)
{
    for (int n : kNumbers)
        for (double mass : {1e-45, 1e-200, 1e60}) {
            SCOPED_TRACE(testing::Message() << mass << " in " << n);
            for (bool written_later : {false, true}) {
                client.reopen();
                std::vector<Body> bodies = moving_bodies(n, 43);
                for (Body &b : bodies) b.mass = 0;
                if (written_later) {
                    client.set_all(bodies);
                    client.run_and_check(probes(3));
                }
                bodies[n - 2].mass = mass;
                if (written_later)
                    client.set(n - 2, bodies[n - 2]);
                else
                    client.set_all(bodies);
                client.run_and_check(probes(3));
            }
        }
}

// i-particles at rest: the lone velocity alone gives them a jerk.
TEST_P(ScalesRare, one_velocity_among_particles_at_rest_gives_a_jerk)
{
    IBlock block = probes(3);
    block.v.assign(3, Vec3{});
    for (int n : kNumbers)
        for (double speed : {1e-45, 1e-100, 1e60}) {
            SCOPED_TRACE(testing::Message() << speed << " in " << n);
            for (bool written_later : {false, true}) {
                client.reopen();
                std::vector<Body> bodies = resting_bodies(n, 44);
                if (written_later) {
                    client.set_all(bodies);
                    client.run_and_check(block);
                }
                bodies[n - 2].v = {0, speed, -speed};
                if (written_later)
                    client.set(n - 2, bodies[n - 2]);
                else
                    client.set_all(bodies);
                client.run_and_check(block);
            }
        }
}

// As where a rounding error moves one particle of a system at rest, whose other particles have been
// accelerated since.
TEST_P(ScalesRare, a_lone_slow_velocity_leaves_the_others_their_jerk)
{
    for (int n : kNumbers)
        for (double slow : {1e-10, 1e-18, 1e-20, 1e-25, 1e-45, 1e-100}) {
            SCOPED_TRACE(testing::Message() << slow << " in " << n);
            client.reopen();
            std::vector<Body> bodies = resting_bodies(n, 47);
            Random random(48);
            for (Body &b : bodies) b.a2 = random.vector(0.5);
            bodies[0].v = {slow, 0, 0};
            client.set_all(bodies);
            client.set_ti(0.0625);
            const int ni = std::min(n, 200);
            client.run_and_check(block_of(bodies, 0, ni, 0.0625));
            // Most of the i-particles are at rest.
            IBlock few = block_of(bodies, 0, ni, 0.0625);
            for (int k = 1; k < ni; ++k)
                if (k % 4) few.v[k] = {0, 0, slow};
            client.run_and_check(few);
            client.set_ti(0);
        }
}

// All bodies have drifted away from where they were sent, to where r^-3 vanishes in float beside
// the i-particles, which are near the origin.
TEST_P(ScalesRare, bodies_that_drifted_away_act_on_what_they_left)
{
    for (int n : kNumbers)
        for (double far : {1e11, 1e13, 1e15, 1e17, 1e25})
            for (int kind = 0; kind < 3; ++kind) {
                SCOPED_TRACE(testing::Message() << far << " in " << n << " of kind " << kind);
                client.reopen();
                std::vector<Body> bodies = resting_bodies(n, 49);
                Random random(50);
                for (Body &b : bodies) {
                    Vec3 &moves = kind == 2 ? b.a2 : b.v;
                    moves = {random(1, 2) * far, random(-1, 1) * far, 0};
                    if (kind == 1) b.x = {};
                }
                client.set_all(bodies);
                client.set_ti(1);
                client.run_and_check(probes(3));
                client.set_ti(0);
            }
}

// The massless particles are near the origin; the one with mass is where r^-3 vanishes in float.
TEST_P(ScalesRare, one_mass_that_is_far_from_massless_particles_acts)
{
    for (int n : kNumbers)
        for (double far : {1e13, 1e16, 1e25}) {
            SCOPED_TRACE(testing::Message() << far << " in " << n);
            client.reopen();
            std::vector<Body> bodies = resting_bodies(n, 45);
            for (Body &b : bodies) b.mass = 0;
            bodies[n - 2].mass = 1;
            client.set_all(bodies);
            client.run_and_check(probes(3));
            bodies[n - 2].x = {far, -far, 0};
            client.set(n - 2, bodies[n - 2]);
            client.run_and_check(probes(3));
        }
}

// A central mass feels the other one alone.
TEST_P(ScalesRare, a_companion_far_from_massless_particles_acts_on_the_central_mass)
{
    for (int n : kNumbers)
        for (double far : {1e13, 1e16, 1e25}) {
            SCOPED_TRACE(testing::Message() << far << " in " << n);
            client.reopen();
            std::vector<Body> bodies = resting_bodies(n, 46);
            for (Body &b : bodies) b.mass = 0;
            bodies[0].mass = bodies[n - 2].mass = 1;
            bodies[0].x = {};
            bodies[n - 2].x = {far, -far, 0};
            client.set_all(bodies);
            client.run_and_check(block_of(bodies, 0, 1));
        }
}

}  // namespace
}  // namespace g6test
