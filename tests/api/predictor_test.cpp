// SPDX-License-Identifier: MIT
// j-particles are predicted to ti with the full polynomial, from the memory as it is when the force
// is asked for.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Predictor);

Body one_body(double t)
{
    Body b;
    b.index = 7, b.mass = 1, b.t = t;
    b.x = {1, 2, 3}, b.v = {0.5, -0.25, 0.125}, b.a2 = {-0.3, 0.2, 0.1};
    b.j6 = {0.05, 0.06, -0.07}, b.k18 = {0.03, -0.02, 0.01};
    return b;
}

// i-particles far enough from the path of one_body() that every pair is well conditioned.
IBlock probes()
{
    IBlock block;
    block.eps2 = 1.0 / 65536;
    block.add(-1, {0, 0, 0}, {0.1, 0.2, 0.3}, 100);
    block.add(-2, {4, 1, -1}, {-0.1, 0, 0.4}, 100);
    return block;
}

TEST_P(Predictor, uses_the_full_polynomial_for_data_before_at_and_after_ti)
{
    for (double tj : {-0.75, 0.0, 0.25, 0.5, 1.5}) {
        client.set(0, one_body(tj));
        client.set_ti(0.5);
        SCOPED_TRACE("tj = " + std::to_string(tj));
        client.run_and_check(probes());
    }
}

// Each coefficient alone, so that an error in one term cannot hide behind another.  s = 1/2.
TEST_P(Predictor, uses_every_term)
{
    for (int term = 0; term < 5; ++term) {
        Body b;
        b.index = 1, b.mass = 1, b.x = {1, 2, 3};
        Vec3 *const terms[] = {nullptr, &b.v, &b.a2, &b.j6, &b.k18};
        if (term) *terms[term] = {1, -2, 0.5};
        client.set(0, b);
        client.set_ti(0.5);
        SCOPED_TRACE("term " + std::to_string(term));
        client.run_and_check(probes());
    }
}

// 3/4 of the smallest double is none.  3/4 2^-1074 (2^268)^4 = 3/16, and the velocity vanishes.
TEST_P(Predictor, keeps_every_digit_of_a_tiny_term_over_a_long_time)
{
    Body b;
    b.index = 1, b.mass = 1, b.x = {1, 2, 3};
    b.k18 = {0x1p-1074, -0x1p-1074, 0};
    client.set(0, b);
    client.set_ti(0x1p268);
    std::vector<Vec3> x(1), v(1);
    ASSERT_EQ(g6_predict(client.id(), 1, rows(x), rows(v)), 0);
    EXPECT_EQ(x[0], (Vec3{1.1875, 1.8125, 3}));
    client.run_and_check(probes());
}

TEST_P(Predictor, ti_is_zero_before_the_first_set_ti)
{
    client.set(0, one_body(-0.5));
    client.run_and_check(probes());
}

TEST_P(Predictor, predicts_again_after_particles_were_sent_again_without_set_ti)
{
    client.set_ti(0.25);
    client.set_all({one_body(0), one_body(0.125)});
    client.run_and_check(probes());
    Body changed = one_body(0.25);
    changed.x = {-2, 1, 2};
    client.set(1, changed);
    client.run_and_check(probes());
}

TEST_P(Predictor, ti_may_go_backwards)
{
    client.set_all(moving_bodies(40, 4));
    for (double ti : {1.0, 0.5, -0.5, 0.0}) {
        client.set_ti(ti);
        client.run_and_check(probes());
    }
}

TEST_P(Predictor, dtj_is_ignored)
{
    for (double dtj : {0.0, 1.0, -1.0, 1e300, std::numeric_limits<double>::denorm_min()}) {
        client.set(0, one_body(0.125), dtj);
        client.set_ti(0.25);
        client.run_and_check(probes());
    }
}

TEST_P(Predictor, snap_off_drops_the_a2by18_term)
{
    client.option("snap", "0");
    client.set(0, one_body(0));
    client.set_ti(0.5);
    const Output out = client.run(probes());
    Memory without = client.memory();
    without[0].k18 = {};
    client.expect_right(probes(), 1, out, without, 0.5);
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

void expect_predicted(const Memory &memory, double ti, const std::vector<Vec3> &x,
                      const std::vector<Vec3> &v)
{
    const Real u = tolerance("double").x;
    for (int a = 0; a < int(x.size()); ++a) {
        const auto place = memory.find(a);
        const Predicted p =
            place == memory.end() ? predict(Body(), ti) : predict(place->second, ti);
        ASSERT_TRUE(within("x", p.x, x[a], u * p.x_size)) << "address " << a;
        ASSERT_TRUE(within("v", p.v, v[a], u * p.v_size)) << "address " << a;
    }
}

TEST_P(Predictor, predicted_particles_can_be_read_and_empty_slots_are_zero)
{
    const std::vector<Body> bodies = moving_bodies(10, 11);
    for (int k = 0; k < 10; ++k) client.set(2 * k, bodies[k]);  // odd slots stay empty
    for (double ti : {0.5, -0.25}) {
        client.set_ti(ti);
        const Vec3 mark = {9, 9, 9};
        std::vector<Vec3> x(25, mark), v(25, mark);  // 6 slots beyond the last written one
        EXPECT_EQ(g6_get_predicted_j_particles(client.id(), 25, rows(x), rows(v)), 0);
        expect_predicted(client.memory(), ti, x, v);
        x.assign(25, mark), v.assign(25, mark);
        EXPECT_EQ(g6_predict(client.id(), 25, rows(x), rows(v)), 0);
        expect_predicted(client.memory(), ti, x, v);
        x.assign(25, mark);
        EXPECT_EQ(g6_predict(client.id(), 25, rows(x), nullptr), 0);
        EXPECT_EQ(g6_predict(client.id(), 25, nullptr, rows(v)), 0);
        expect_predicted(client.memory(), ti, x, v);
    }
}

// Backends may hold no more of the polynomial than was ever sent.
TEST_P(Predictor, motion_may_come_late_and_in_parts)
{
    const std::vector<Body> bodies = moving_bodies(300, 40);
    const IBlock block = block_of(bodies, 0, 8), one = block_of(bodies, 7, 1);
    for (const char *mode : {"hermite", "treewalk"}) {
        SCOPED_TRACE(mode);
        client.reopen();
        client.option("mode", mode);
        client.option("theta", "0");
        client.option("direct", "0");
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

// Where a point lands, no term of the particle that was there is left, for whoever predicts.
TEST_P(Predictor, points_stay_where_they_are_put)
{
    client.option("theta", "0");
    client.option("direct", "0");
    client.set_all({one_body(0), one_body(0.25)});
    Body point = one_body(0);
    point.x = {-1, 2, 1};
    client.set_point(1, point);
    for (double ti : {0.0, 1.0}) {
        client.set_ti(ti);
        std::vector<Vec3> x(2), v(2);
        EXPECT_EQ(g6_predict(client.id(), 2, rows(x), rows(v)), 0);
        EXPECT_EQ(x[1], point.x);
        EXPECT_EQ(v[1], Vec3());
        for (const char *mode : {"hermite", "treewalk"}) {
            client.option("mode", mode);
            client.run_and_check(probes());
        }
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
            client.reopen();
            client.option("threads", threads);
            client.set_all(bodies);
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
        Client fresh(GetParam());
        fresh.set_all(bodies);
        fresh.set_ti(0.125);
        EXPECT_TRUE(same_bits(fresh.run(block, nj), out));
    }
}

}  // namespace
}  // namespace g6test
