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
