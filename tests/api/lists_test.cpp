// SPDX-License-Identifier: MIT
// Neighbour lists in cases that are hard for a search: many particles far from the origin, radii
// that differ from a distance by less than a float tells, lists of very different lengths, and
// steps that leave the lists out.  The rules of g6check and g6fuzz test what belongs into a list.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Lists);

// Radii 2^-40 of themselves below and above the distance of one j-particle: floats, which have 24
// bits, cannot decide, and doubles can, since differences of these positions are exact.
TEST_P(Lists, tells_radii_apart_that_are_equal_in_float)
{
    Random random(41);
    for (const Vec3 origin : {Vec3{0, 0, 0}, Vec3{1e6, -3e5, 2e6}}) {
        client.reopen();
        std::vector<Vec3> x(300);
        for (int k = 0; k < 300; ++k) {
            for (int c = 0; c < 3; ++c)
                x[k][c] = std::floor((origin[c] + random(-1, 1)) * 0x1p24) * 0x1p-24;
            client.set_point(k, body_at(k, x[k]));
        }
        IBlock block;
        for (int k = 0; k < 200; ++k) {
            const Vec3 &i = x[k / 2], &j = x[299 - k / 2];
            Real r2 = 0;
            for (int c = 0; c < 3; ++c) r2 += (Real(j[c]) - i[c]) * (Real(j[c]) - i[c]);
            block.add(k / 2, i, {}, double(r2) * (k % 2 ? 1 + 0x1p-40 : 1 - 0x1p-40));
        }
        client.run(block);
        client.expect_lists(block, 300);
    }
}

// A clump in consecutive slots, far more than any search keeps of one slice, among many others.
TEST_P(Lists, finds_all_of_a_clump_in_one_slice)
{
    Random random(42);
    constexpr int kBodies = 9000;
    for (int k = 0; k < kBodies; ++k) {
        const bool in_clump = k >= 4000 && k < 4150;
        client.set_point(k, body_at(k, random.vector(in_clump ? 0.001 : 1)));
    }
    for (int ni : {1, 3, 40}) {
        IBlock block;
        for (int k = 0; k < ni; ++k)
            block.add(4000 + k, random.vector(0.001), {}, k % 3 == 1 ? 1e-7 : 0.01);
        client.run(block);
        client.expect_lists(block, kBodies);
    }
}

// More than a million entries in a block, twice, and short lists before and after them.
TEST_P(Lists, takes_long_lists_after_short_ones_and_short_ones_after_long_ones)
{
    constexpr int kBodies = 3600;
    const std::vector<Body> bodies = client.set_all(resting_bodies(kBodies, 44));
    std::vector<int> everybody;
    for (const Body &b : bodies) everybody.push_back(b.index);
    for (double h2 : {0.01, 1e4, 1e4, 0.01}) {
        IBlock block = block_of(bodies, 0, 300, 0, 0, h2);
        for (int k = 0; k < 300; ++k) block.index[k] = -k - 1;  // of no j-particle
        client.run(block);
        if (h2 < 1) {
            client.expect_lists(block, kBodies);
            continue;
        }
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        for (int k = 0; k < 300; ++k) ASSERT_EQ(client.list(k), everybody) << k;
    }
}

// Backends learn that the lists are read and prepare them: a step leaves them out, and the next one
// has other i-particles, more j-particles, or both.
TEST_P(Lists, is_right_after_steps_that_left_the_lists_out)
{
    std::vector<Body> bodies = client.set_all(moving_bodies(500, 45));
    double ti = 0.125;
    for (int round = 0; round < 6; ++round) {
        SCOPED_TRACE(round);
        client.set_ti(ti += 1.0 / 1024);
        const int nj = client.nj();
        const IBlock read = block_of(bodies, 0, 20 + 30 * round, ti, 1e-4, 0.04),
                     unread = block_of(bodies, 90, 30, ti, 1e-4, 0.25);
        client.expect_right(read, nj, client.run(read, nj));
        client.expect_lists(read, nj);
        client.expect_right(unread, nj, client.run(unread, nj));
        if (round % 2) client.first(unread, nj);  // never collected
        for (int k = 0; k < 700 * (round % 3); ++k) client.set(client.nj(), bodies[k % 500]);
    }
}

// Positions in float are enough for the force in precision single, but not for lists.  The first
// block, without softening, leaves other low parts of positions behind.
TEST_P(Lists, has_all_digits_in_precision_single)
{
    if (GetParam().backend == "cpu" || GetParam().precision != "mixed")
        GTEST_SKIP() << "precision single is of the GPU backends";
    client.option("precision", "single");
    Random random(46);
    for (bool softened : {false, true}) {
        for (int k = 0; k < 400; ++k) {
            Vec3 x;
            for (int c = 0; c < 3; ++c)
                x[c] = 1e6 + std::floor(random(-8, 8)) / 16 + (softened ? 0 : random(0, 0.03));
            client.set_point(k, body_at(k, x));
        }
        IBlock block;
        block.eps2 = softened ? 0.25 : 0;
        for (int k = 0; k < 40; ++k)
            block.add(k, client.memory().at(k).x, {}, block.eps2 + std::floor(random(0, 30)) / 256);
        client.run(block, 400, Half::kLast);
        client.run(block, 400, Half::kLast);
        client.expect_lists(block, 400);
    }
}

// More i-particles than the first shape of a search takes, in slices that have more entries than
// others.  On a grid of 2^-4 every r2 is exact, and many are h2 itself.
TEST_P(Lists, of_thousands_of_particles_far_from_the_origin)
{
    Random random(31);
    const Vec3 origin = {1e6, -0x1p21, 3e5};
    const auto on_grid = [&] {
        Vec3 x;
        for (int c = 0; c < 3; ++c) x[c] = origin[c] + std::floor(random(-8, 8)) / 16;
        return x;
    };
    for (int k = 0; k < 400; ++k) client.set_point(k, body_at(k, on_grid()));
    client.set_point(400, body_at(400, {1e9, 1e9, -1e9}));
    IBlock block;
    for (int k = 0; k < 4500; ++k) {
        const double h2 = k % 900 == 7   ? 1e25
                          : k % 900 == 8 ? 1e-30
                                         : std::floor(random(0, 30)) / 256;
        block.add(k % 450, k % 1000 == 9 ? Vec3{1e9, 1e9, 0} : on_grid(), {}, h2);
    }
    client.run(block);
    client.expect_lists(block, 401);
}

}  // namespace
}  // namespace g6test
