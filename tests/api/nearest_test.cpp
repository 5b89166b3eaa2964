// SPDX-License-Identifier: MIT
// The nearest neighbour of lasthalf2 where several bodies are nearly or exactly at one distance.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Nearest);

// Over more particles than any tile, chunk or grid holds, for few and for many i-particles.
TEST_P(Nearest, ties_go_to_the_lowest_address_among_thousands)
{
    constexpr int kMany = 20000;
    std::vector<Body> bodies(kMany, body_at(0, {0, 2, 0}));
    for (int k = 0; k < kMany; ++k) bodies[k].index = kMany - k;
    for (int k : {250, 300, 4090, 4100, 8191, 8192, 19999}) bodies[k].x = {1, 0, 0};
    client.set_all(bodies);
    for (int ni : {1, 40}) {
        IBlock block;
        block.eps2 = 0.01;
        for (int k = 0; k < ni; ++k) block.add(-k - 1, {0, 0, 0});
        const Output out = client.run(block);
        for (int nearest : out.nearest) EXPECT_EQ(nearest, kMany - 250);
        block.index.assign(ni, kMany - 250);
        EXPECT_EQ(client.run(block).nearest[0], kMany - 300);
    }
}

// Two at the same distance, in any two places of a vector loop and of two.
TEST_P(Nearest, ties_go_to_the_lowest_address_wherever_the_two_are)
{
    const std::vector<Body> far = resting_bodies(600, 81);
    IBlock block;
    block.add(9000, {4, 4, 4});
    for (int lower : {256, 258, 300, 511})
        for (int upper : {260, 273, 290, 317, 512, 527, 599}) {
            if (upper <= lower) continue;
            SCOPED_TRACE(testing::Message() << lower << " " << upper);
            std::vector<Body> bodies = far;
            bodies[lower].x = {4 + 1.0 / 64, 4, 4};
            bodies[upper].x = {4, 4 - 1.0 / 64, 4};
            client.set_all(bodies);
            EXPECT_EQ(client.run(block).nearest[0], bodies[lower].index);
        }
}

// 64 particles at distances 1 + k 1e-12 in changing order, next to each other and spread over
// thousands of addresses.  Positions are rounded to about 1e-16, floats to 6e-8: only a decision in
// double gets this right.  Squares of distances that are softened by 1e3 all look alike in float.
TEST_P(Nearest, near_ties_are_decided_in_double)
{
    Random random(4);
    for (int spread : {1, 1, 1, 67, 67, 67, 67, 67, 67}) {
        const Vec3 centre = random.vector(0.25);
        const int shift = random.below(64);
        client.reopen();
        for (int k = 0; k < 64; ++k) {
            Vec3 d = random.vector(1);
            const double size = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            const double r = (1 + (k * 29 + shift) % 64 * 1e-12) / size;
            const Vec3 x = {centre[0] + d[0] * r, centre[1] + d[1] * r, centre[2] + d[2] * r};
            client.set(k * spread, body_at(k + 1, x));
        }
        IBlock block;
        block.add(-1, centre);
        client.run_and_check(block);
        for (int k = 2; k < 9; ++k) block.add(-k, centre);  // so many take other loops
        for (double eps2 : {1.0 / 65536, 1e6}) {
            block.eps2 = eps2;
            client.run_and_check(block);
        }
    }
}

// Each i-particle has two bodies close to it, far from it in address and from each other, of which
// one is 1/500 farther away: a difference far below the rounding of a position to 48 bits, 4e-15,
// at the smaller of these distances.
TEST_P(Nearest, of_two_bodies_at_nearly_the_same_tiny_distance_is_right)
{
    const int ni = 60, n = 3000;
    for (double distance : {1e-10, 1e-12, 1e-13, 1e-14, 3e-15}) {
        SCOPED_TRACE(distance);
        Random random(9);
        std::vector<Body> bodies = resting_bodies(n, 10);
        for (Body &b : bodies) b.x = random.vector(1);
        for (int k = 0; k < ni; ++k) {
            for (int other : {1, 2}) {
                const Vec3 d = random.vector(1);
                const double size = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                const bool farther = other % 2 == k % 2;
                Vec3 &x = bodies[k + 1000 * other].x;
                for (int c = 0; c < 3; ++c)
                    x[c] = bodies[k].x[c] + d[c] / size * distance * (farther ? 1.002 : 1);
            }
        }
        client.reopen(bodies);
        client.run_and_check(block_of(bodies, 0, ni));
        const double eps2 = distance * distance;
        client.run_and_check(block_of(bodies, 0, ni, 0, eps2));
    }
}

// ---- what an OpenCL device without doubles leaves to the host

// Body 0 is 2^-30 away from body 1, nearer than 2^-24 of its coordinate.  The pull of body 1 is
// 2^60; body 2, from a distance of 2, pulls with 1/4 in the opposite direction.  Bodies 0 and 1 are
// at distances 2 and 2 + 2^-30 from body 2, which are equal in float: the nearer one is found in
// double.
TEST(WithoutDoubles, sums_with_close_pairs_and_nearest_neighbours_are_the_hosts)
{
    if (device_notes("opencl").empty()) GTEST_SKIP() << "no OpenCL device";
    std::vector<Body> bodies(3);
    const double x[] = {1, 1 + 0x1p-30, -1};
    for (int k = 0; k < 3; k++) bodies[k].index = k, bodies[k].mass = 1, bodies[k].x[0] = x[k];
    for (const char *mode : {"hermite", "treewalk"}) {
        SCOPED_TRACE(mode);
        Client client({"opencl", "mixed", "0", "nodouble"}, bodies);
        client.option("mode", mode);
        client.option("direct", "0");
        IBlock block;
        for (int k : {0, 2}) block.add(k, bodies[k].x);
        client.run(block, 3, Half::kLast);
        EXPECT_EQ(client.overflows(), 1);
        const Output out = client.run(block, 3, Half::kLast2);
        EXPECT_EQ(client.overflows(), 2);
        EXPECT_NEAR(out.acc[0][0], 0x1p60 - 0.25, 0x1p60 * 1e-15);
        EXPECT_EQ(out.nearest[0], 1);
        EXPECT_EQ(out.nearest[1], 0);
        EXPECT_NEAR(out.acc[1][0], 0.5, 1e-7);
    }
}

}  // namespace
}  // namespace g6test
