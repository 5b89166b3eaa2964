// SPDX-License-Identifier: MIT
// Systems whose common velocity is much larger than their internal velocities.  Forces depend on
// differences of velocities, which must keep their digits.
#include "../physics.h"

namespace g6test {
namespace {

// Components are multiples of 2^-28 and below 1, so that their sums with whole numbers up to 2^24
// are exact.
std::vector<Body> slow_bodies(int n, unsigned seed)
{
    Random random(seed);
    std::vector<Body> bodies = resting_bodies(n, seed);
    for (Body &b : bodies) {
        b.mass *= random(0.5, 1.5);
        for (double &v : b.v) v = std::ldexp(std::floor(random(-0x1p28, 0x1p28)), -28);
    }
    return bodies;
}

Vec3 sum(const Vec3 &a, const Vec3 &b)
{
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

std::vector<Body> moving_with(std::vector<Body> bodies, const Vec3 &common)
{
    for (Body &b : bodies) b.v = sum(b.v, common);
    return bodies;
}

Memory memory_of(const std::vector<Body> &bodies)
{
    Memory memory;
    for (int k = 0; k < int(bodies.size()); ++k) memory[k] = bodies[k];
    return memory;
}

class CommonVelocityTest : public Physics {
protected:
    // The jerks of a block, of which every `step`-th i-particle is looked at.  `common` is not in
    // the sizes of the velocities that are rounded to float.  It may be off the true one by the
    // typical difference, so that these are at most twice as large.
    void expect_jerks(const IBlock &block, const Output &out, const Vec3 &common, int step = 1)
    {
        expect_jerks(block, client.nj(), out, common, step);
    }
    void expect_jerks(const IBlock &block, int nj, const Output &out, const Vec3 &common,
                      int step = 1)
    {
        ASSERT_EQ(out.status, 0) << g6_last_error();
        const Tolerance t = tolerance(client.precision());
        Memory slow = client.memory();
        for (auto &entry : slow) entry.second.v = sum(entry.second.v, scaled(common, -1));
        for (int k = 0; k < block.size(); k += step) {
            SCOPED_TRACE("i-particle " + std::to_string(k));
            IParticle i = block.particle(k);
            const Expected e = evaluate(client.memory(), nj, client.ti(), i);
            i.v = sum(i.v, scaled(common, -1));
            const Expected rest = evaluate(slow, nj, client.ti(), i);
            const Real allowed =
                t.jerk * e.jerk_size + t.x * (e.jerk_by_x + e.jerk_by_v) + 2 * t.v * rest.jerk_by_v;
            ASSERT_TRUE(within("jerk", e.jerk, out.jerk[k], allowed));
        }
    }
};

G6_SUITE(CommonVelocityTest, CommonVelocity);

TEST_P(CommonVelocity, costs_the_jerk_no_digits)
{
    const std::vector<Body> bodies = slow_bodies(700, 5);
    for (const char *mode : {"hermite", "treewalk"})
        for (double speed : {30., 1e4, 1e7}) {
            client.reopen();
            client.use_mode(mode);  // every cell is opened
            const Vec3 common = {speed, -2 * speed, std::floor(speed / 10)};
            const std::vector<Body> moving = moving_with(bodies, common);
            client.set_all(moving);
            for (int ni : {1, 16, 700}) {
                SCOPED_TRACE(testing::Message() << mode << " " << speed << " ni " << ni);
                const IBlock block = block_of(moving, 0, ni);
                expect_jerks(block, client.run(block), common, 1 + ni / 16);
            }
        }
}

// Positions and velocities are predicted from times of their own.
TEST_P(CommonVelocity, costs_no_digits_after_prediction)
{
    const Vec3 common = {0, 1e5, 3e4};
    std::vector<Body> bodies = moving_bodies(500, 8);
    for (Body &b : bodies) {
        b.v = sum(b.v, common);
        for (int c = 0; c < 3; ++c) b.x[c] += common[c] * b.t;
    }
    client.set_all(bodies);
    for (double ti : {0., 0.25}) {
        client.set_ti(ti);
        for (int ni : {2, 64}) {
            const IBlock block = block_of(bodies, 100, ni, ti);
            expect_jerks(block, client.run(block), common);
        }
    }
}

// A cell has the mean velocity of its particles.  Positions, and with them all cells that are
// accepted, are the same in both runs.
TEST_P(CommonVelocity, costs_cells_of_a_tree_no_digits)
{
    // In double no velocity is measured from another one, and the backend cuda has mean velocities
    // in float.
    if (GetParam().precision == "double") GTEST_SKIP() << "cells are no more exact in double";
    const std::vector<Body> bodies = slow_bodies(2000, 6);
    const auto walk = [&](const Vec3 &common) {
        client.reopen();
        client.use_mode("treewalk", "0.7");
        const std::vector<Body> moving = moving_with(bodies, common);
        client.set_all(moving);
        return client.run(block_of(moving, 0, 64));
    };
    const Output rest = walk({0, 0, 0}), moving = walk({0x1p22, 0x1p21, 0});
    ASSERT_EQ(moving.status, 0) << g6_last_error();
    const Memory memory = memory_of(bodies);
    const Tolerance t = tolerance("mixed");
    const IBlock block = block_of(bodies, 0, 64);
    for (int k = 0; k < 64; ++k) {
        const Expected e = evaluate(memory, 2000, 0, block.particle(k));
        const Real expected[] = {rest.jerk[k][0], rest.jerk[k][1], rest.jerk[k][2]};
        const Real allowed = t.jerk * e.jerk_size + 2 * t.v * e.jerk_by_v;
        ASSERT_TRUE(within("jerk", expected, moving.jerk[k], 2 * allowed)) << k;
    }
}

// They are at rest, or move against the others.
TEST_P(CommonVelocity, may_be_that_of_others)
{
    const Vec3 common = {3e4, -1e4, 2e4};
    std::vector<Body> bodies = moving_with(slow_bodies(300, 9), common);
    for (int k : {7, 150, 299}) bodies[k].v = scaled(bodies[k].v, -2);
    client.set_all(bodies);
    Body tracer = resting_bodies(301, 4).back();
    tracer.mass = 0;
    client.set_point(300, tracer);
    IBlock block = block_of(bodies, 0, 100), resting = block;
    for (int k = 0; k < 100; k += 3) block.v[k] = {0, 0, 0};
    client.run_and_check(block);
    resting.v.assign(100, Vec3{0, 0, 0});
    resting.h2.assign(100, 0);
    client.run_and_check(resting);
    resting.v.assign(100, common);
    client.run_and_check(resting);
}

// All blocks have one time, and no j-particle is written between them.  A prediction that is kept
// from one block to the next belongs to the common velocity of its block.
TEST_P(CommonVelocity, changes_with_the_particles_that_act)
{
    const Vec3 one = {1e5, 0, 0}, other = {-3e5, 1e5, 0};
    std::vector<Body> bodies = moving_with(slow_bodies(60, 3), one);
    const std::vector<Body> fast = moving_with(slow_bodies(6000, 4), other);
    bodies.insert(bodies.end(), fast.begin(), fast.end());
    for (int k = 0; k < int(bodies.size()); ++k) bodies[k].index = k + 1;
    client.set_all(bodies);
    // Of few i-particles the cpu keeps predictions for other numbers of j-particles, too.
    for (int ni : {20, 4}) {
        const IBlock slow = block_of(bodies, 0, ni), late = block_of(bodies, 6000, ni);
        for (int turn = 0; turn < 2; ++turn) {
            client.run(late);
            expect_jerks(late, client.run(late), other);
            expect_jerks(slow, 60, client.run(slow, 60), one);
        }
    }
}

// Some of them rest: tracers without mass, or slots that a client has no body for.
TEST_P(CommonVelocity, is_that_of_particles_with_mass)
{
    const Vec3 common = {1e6, 1e6, 0};
    for (bool tracers_rest : {true, false}) {
        client.reopen();
        std::vector<Body> bodies = slow_bodies(1000, 12);
        for (int k = 0; k < 1000; ++k) {
            const bool tracer = k % 10 != 0;
            if (tracer) bodies[k].mass = 0;
            if (tracer != tracers_rest) bodies[k].v = sum(bodies[k].v, common);
        }
        client.set_all(bodies);
        IBlock block;
        block.eps2 = 1.0 / 65536;
        for (int k = 0; k < 1000; k += 10) block.add(bodies[k].index, bodies[k].x, bodies[k].v);
        // Massless j-particles add nothing, whatever their velocity is.
        Memory &memory = client.mutable_memory();
        for (int k = 0; k < 999; ++k)
            if (k % 10 != 0) memory.erase(k);
        expect_jerks(block, client.run(block), tracers_rest ? common : Vec3{0, 0, 0});
    }
}

}  // namespace
}  // namespace g6test
