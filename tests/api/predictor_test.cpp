// SPDX-License-Identifier: MIT
// j-particles are predicted to ti with the full polynomial, whatever predictions backends keep and
// whichever zero terms they leave out.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Predictor);

// i-particles far enough from the bodies of these tests that every pair is well conditioned.
IBlock probes()
{
    IBlock block;
    block.eps2 = 1.0 / 65536;
    block.add(-1, {0, 0, 0}, {0.1, 0.2, 0.3}, 100);
    block.add(-2, {4, 1, -1}, {-0.1, 0, 0.4}, 100);
    return block;
}

// Times late in a run: s = ti - tj must be formed before it is rounded to anything short.
TEST_P(Predictor, small_steps_at_late_times_keep_their_digits)
{
    std::vector<Body> bodies = moving_bodies(50, 10);
    for (Body &b : bodies) b.t = 1e5 + std::ldexp(b.t, -10);
    client.set_all(bodies);
    client.set_ti(1e5);
    client.run_and_check(block_of(bodies, 0, 50, 1e5));
}

// Backends may hold no more of the polynomial than was ever sent.
TEST_P(Predictor, motion_may_come_late_and_in_parts)
{
    const std::vector<Body> bodies = moving_bodies(300, 40);
    const IBlock block = block_of(bodies, 0, 8), one = block_of(bodies, 7, 1);
    for (const char *mode : {"hermite", "treewalk"}) {
        SCOPED_TRACE(mode);
        client.reopen();
        client.use_mode(mode);
        const auto check = [&] {
            client.set_ti(0.25);
            client.run_and_check(block);
            client.run_and_check(one);
        };
        for (int k = 0; k < 300; ++k) client.set_point(k, bodies[k]);
        check();
        for (int k = 0; k < 300; k += 3) {
            Body slow = bodies[k];
            slow.k18 = {0, 0, 0};
            client.set(k, slow);
        }
        check();
        client.set(5, bodies[5]);
        check();
        for (int k = 300; k < 900; ++k) client.set_point(k, bodies[k % 300]);  // memory grows
        check();
        client.set_all(bodies);
        check();
    }
}

// A single component of a single term is motion.
TEST_P(Predictor, motion_along_one_axis_is_motion)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int term = 0; term < 4; ++term) {
            SCOPED_TRACE(testing::Message() << "axis " << axis << ", term " << term);
            client.reopen();
            std::vector<Body> bodies = resting_bodies(10, 13);
            Vec3 *const terms[] = {&bodies[3].v, &bodies[3].a2, &bodies[3].j6, &bodies[3].k18};
            (*terms[term])[axis] = 2;
            client.set_all(bodies);
            client.set_ti(0.5);
            client.run_and_check(probes());
        }
}

// At t = 1e7 the j6 term alone brings one body to 1e21, whose square is no float, and at 1e14 to
// 1e42, which is none itself.  Its pull on the others is below 1e-42.  The mass of slot 0 makes all
// units 1, in which the cpu leaves out the limits of predictions that stay far below them.
TEST_P(Predictor, a_prediction_may_leave_the_range_of_float)
{
    client.allow_overflows();
    std::vector<Body> bodies = resting_bodies(600, 30);
    bodies[77].j6 = {1, -1, 1};
    bodies[0].mass = 1;
    client.set_all(bodies);
    for (double t : {0.5, 1e7, -1e7, 1e14}) {
        client.set_ti(t);
        SCOPED_TRACE("t = " + std::to_string(t));
        for (int ni : {3, 10}) {
            const IBlock block = block_of(bodies, 100, ni);
            const Output out = client.run(block);
            for (int k = 0; k < ni; ++k) {
                const Expected e = evaluate(client.memory(), 600, t, block.particle(k));
                for (int c = 0; c < 3; ++c) {
                    EXPECT_NEAR(out.acc[k][c], double(e.acc[c]), 1e-5) << k;
                    EXPECT_NEAR(out.jerk[k][c], double(e.jerk[c]), 1e-3) << k;
                }
            }
        }
    }
}

// A device may keep what it predicted for the next block of the same time, or not, and may predict
// while it sums.  None of this shows.  Particles to 5 chunks of the cpu's tiles.
TEST_P(Predictor, the_place_of_a_block_among_those_of_its_time_does_not_matter)
{
    const std::vector<Body> bodies = moving_bodies(GetParam().backend == "cpu" ? 18000 : 2500, 31);
    for (const char *threads : {"1", "2"})
        for (int ni : {3, 20}) {
            client.reopen(bodies);
            client.option("threads", threads);
            const IBlock block = block_of(bodies, 0, ni);
            client.set_ti(0.25);
            const Output alone = client.run(block), second = client.run(block),
                         third = client.run(block);
            EXPECT_TRUE(same_bits(second, alone)) << threads << " threads, ni = " << ni;
            EXPECT_TRUE(same_bits(third, alone)) << threads << " threads, ni = " << ni;
            client.set_ti(0.5);  // after a time with several blocks
            const Output later = client.run(block);
            client.set(7, bodies[7]);
            EXPECT_TRUE(same_bits(client.run(block), later)) << threads << " threads, ni = " << ni;
            client.set_ti(0.25);
            EXPECT_TRUE(same_bits(client.run(block), alone)) << threads << " threads, ni = " << ni;
        }
}

TEST_P(Predictor, blocks_of_one_time_see_the_slots_that_they_ask_for)
{
    std::vector<Body> bodies = moving_bodies(1500, 32);
    for (int k = 1400; k < 1500; ++k) bodies[k].x[0] += 1e5;
    client.set_all(bodies);
    client.set_ti(0.125);
    const IBlock block = block_of(bodies, 0, 8);
    for (int nj : {1500, 1500, 1400, 1500, 300, 700, 1500}) {
        SCOPED_TRACE("nj = " + std::to_string(nj));
        const Output out = client.run(block, nj);
        client.expect_right(block, nj, out);
        Client fresh(GetParam(), bodies);
        fresh.set_ti(0.125);
        EXPECT_TRUE(same_bits(fresh.run(block, nj), out));
    }
}

}  // namespace
}  // namespace g6test
