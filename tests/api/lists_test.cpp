// SPDX-License-Identifier: MIT
// Neighbour lists: which particles, in which order, and what the calls return.
#include "../physics.h"

namespace g6test {
namespace {

G6_PHYSICS_SUITE(Lists);

Body at(int index, const Vec3 &x)
{
    Body b;
    b.index = index, b.mass = 1, b.x = x;
    return b;
}

IBlock probe(double h2, int index = -5)
{
    IBlock block;
    block.add(index, {0, 0, 0}, {}, h2);
    return block;
}

TEST_P(Lists, hold_what_lies_within_the_radius_of_each_particle)
{
    const std::vector<Body> bodies = moving_bodies(400, 1);
    client.set_all(bodies);
    client.set_ti(0.125);
    IBlock block = block_of(bodies, 0, 60, 0.125);
    for (int k = 0; k < 60; ++k) block.h2[k] = k % 7 * k % 7 * 0.02;
    client.run_and_check(block);
    client.expect_lists(block, 400);
}

// (3, 4, 0)/8 lies at r^2 = 25/64, exact in float: h2 = r^2 leaves it out, the next double puts it
// in.
TEST_P(Lists, the_radius_itself_is_outside)
{
    const double r2 = 25.0 / 64;
    client.set(0, at(1, {0.375, 0.5, 0}));
    client.set(1, at(2, {0, 0.375, -0.5}));
    for (double h2 : {std::nextafter(r2, 0.0), r2, std::nextafter(r2, 1.0)}) {
        client.run(probe(h2));
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        EXPECT_EQ(client.list(0), h2 > r2 ? (std::vector<int>{1, 2}) : std::vector<int>());
    }
}

// GRAPE-6 compares the softened distance with the radius, sapporo the plain one.
TEST_P(Lists, neighbour_softened_decides_about_the_distance)
{
    const std::vector<Body> bodies = moving_bodies(50, 2);
    client.set_all(bodies);
    for (double eps2 : {0.0, 0.25, 0.5, 1e4})
        for (const char *softened : {"auto", "0", "1"}) {
            client.option("neighbour_softened", softened);
            const IBlock block = block_of(bodies, 0, 10, 0, eps2, 0.5);
            client.run(block);
            client.expect_lists(block, 50, {false, softened[0] != '0'});
        }
}

TEST_P(Lists, zero_masses_are_neighbours)
{
    std::vector<Body> bodies = moving_bodies(30, 3);
    for (Body &b : bodies) b.mass = 0;
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 10, 0, 0, 1.0);
    client.run_and_check(block);
    client.expect_lists(block, 30);
}

TEST_P(Lists, are_sorted_by_index_and_keep_duplicates)
{
    const int index[] = {7, -3, 7, 2147483647, 0, -2147483647, 7, 1};
    for (int k = 0; k < 8; ++k) client.set(k, at(index[k], {0.1 * k, 0, 0}));
    client.run(probe(100));
    ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
    EXPECT_EQ(client.list(0), (std::vector<int>{-2147483647, -3, 0, 1, 7, 7, 7, 2147483647}));
}

TEST_P(Lists, can_be_left_in_the_order_of_addresses)
{
    const int index[] = {7, -3, 7, 4, 0};
    for (int k = 0; k < 5; ++k) client.set(k, at(index[k], {0.1 * k, 0, 0}));
    EXPECT_NE(g6_get_neighbour_list_sort_mode(), 0);
    EXPECT_EQ(g6_set_neighbour_list_sort_mode(0), 0);
    EXPECT_EQ(g6_get_neighbour_list_sort_mode(), 0);
    client.run(probe(100));
    EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
    EXPECT_EQ(client.list(0), (std::vector<int>{7, -3, 7, 4, 0}));
    EXPECT_EQ(g6_set_neighbour_list_sort_mode(1), 0);
    client.run(probe(100));
    EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
    EXPECT_EQ(client.list(0), (std::vector<int>{-3, 0, 4, 7, 7}));
}

TEST_P(Lists, read_again_follow_a_new_sort_mode)
{
    const int index[] = {7, -3, 7, 4, 0};
    for (int k = 0; k < 5; ++k) client.set(k, at(index[k], {0.1 * k, 0, 0}));
    client.run(probe(100));
    for (int mode : {0, 1, 0}) {
        g6_set_neighbour_list_sort_mode(mode);
        EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
        EXPECT_EQ(client.list(0),
                  mode ? (std::vector<int>{-3, 0, 4, 7, 7}) : (std::vector<int>{7, -3, 7, 4, 0}));
    }
    g6_set_neighbour_list_sort_mode(1);
}

// Some clients copy nblen entries whatever the status is, and kira grows its array until nblen is
// less than maxlength: so nblen is maxlength, and no entry beyond it is written.
TEST_P(Lists, a_longer_list_than_the_array_returns_one_and_fills_the_array)
{
    for (int k = 0; k < 10; ++k) client.set(k, at(10 - k, {0.01 * k, 0, 0}));
    client.run(probe(1));
    ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
    std::vector<int> nbl(12, -99);
    int n = -1;
    EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 4, &n, nbl.data()), 1);
    EXPECT_EQ(n, 4);
    EXPECT_EQ(nbl, (std::vector<int>{1, 2, 3, 4, -99, -99, -99, -99, -99, -99, -99, -99}));
    EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 0, &n, nbl.data()), 1);
    EXPECT_EQ(n, 0);
    EXPECT_EQ(nbl[0], 1);
    EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 9, &n, nbl.data()), 1);
    EXPECT_EQ(n, 9);
    EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 10, &n, nbl.data()), 0);  // fits exactly
    EXPECT_EQ(n, 10);
}

// Codes ask for the lists of all pipes, whatever the number of i-particles.
TEST_P(Lists, pipes_beyond_the_block_have_empty_lists)
{
    client.set(0, at(1, {0.01, 0, 0}));
    client.run(probe(1));
    for (int pipe : {1, 5, 47, 2147483647}) EXPECT_EQ(client.list(pipe), std::vector<int>{});
    int n = -1, nbl[1];
    EXPECT_LT(g6_get_neighbour_list(client.id(), -1, 1, &n, nbl), 0);
    EXPECT_EQ(n, 0);
}

TEST_P(Lists, an_overflow_is_not_sticky)
{
    for (int k = 0; k < 10; ++k) client.set(k, at(k + 1, {0.01 * k, 0, 0}));
    std::vector<int> nbl(10);
    int n = -1;
    for (int round = 0; round < 3; ++round) {
        client.run(probe(1));
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 2, &n, nbl.data()), 1);
        EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 10, &n, nbl.data()), 0);
        client.run(probe(1e-12));
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        EXPECT_EQ(g6_get_neighbour_list(client.id(), 0, 2, &n, nbl.data()), 0);
        EXPECT_EQ(n, 1);
    }
}

TEST_P(Lists, a_zero_or_negative_radius_gives_an_empty_list)
{
    client.set_all({at(-5, {0, 0, 0}), at(1, {0, 0, 0}), at(2, {1, 0, 0})});
    for (const char *self : {"0", "1"})
        for (double h2 : {0.0, -1.0}) {
            client.option("neighbour_self", self);
            client.run(probe(h2));
            ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
            EXPECT_EQ(client.list(0), std::vector<int>()) << self << " " << h2;
        }
}

TEST_P(Lists, a_huge_radius_holds_everybody_and_a_tiny_one_the_coincident)
{
    client.set_all({at(1, {0, 0, 0}), at(2, {1, 0, 0}), at(3, {1e10, 0, 0})});
    for (double h2 : {1e300, 1e40, 1e-30}) {
        client.run(probe(h2));
        client.expect_lists(probe(h2), 3);
    }
}

TEST_P(Lists, neighbour_self_decides_about_the_own_index)
{
    std::vector<Body> bodies = resting_bodies(20, 5);
    bodies[11].index = bodies[3].index;
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 20, 0, 0, 4);
    for (const char *self : {"0", "1", "auto", "0"}) {
        client.option("neighbour_self", self);
        client.run(block);
        client.expect_lists(block, 20, {self[0] == '1', true});
    }
}

// A client that reads them at every step, which backends learn; one step has thousands of entries.
TEST_P(Lists, can_be_read_step_after_step)
{
    std::vector<Body> bodies = moving_bodies(2000, 34);
    client.set_all(bodies);
    double ti = 0.125;
    for (int ni : {1, 1, 3, 16, 17, 40, 5, 5, 2, 1}) {
        SCOPED_TRACE(ni);
        ti += 1.0 / 1024;
        client.set_ti(ti);
        for (double h2 : {0.01, ni == 5 ? 400.0 : 0.04}) {
            bodies[7].x[0] += 0.25;
            client.set(7, bodies[7]);
            const IBlock block = block_of(bodies, 5, ni, ti, 1e-4, h2);
            client.run_and_check(block);
            client.expect_lists(block, 2000);
        }
    }
}

TEST_P(Lists, of_more_particles_than_pipes)
{
    const std::vector<Body> bodies = resting_bodies(30, 8);
    client.set_all(bodies);
    IBlock block;
    Random random(9);
    for (int k = 0; k < g6_npipes() + 100; ++k)
        block.add(k % 40, random.vector(1), {}, random(0, 1));
    client.run(block);
    client.expect_lists(block, 30);
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
    for (int k = 0; k < 400; ++k) client.set_point(k, at(k, on_grid()));
    client.set_point(400, at(400, {1e9, 1e9, -1e9}));
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

TEST_P(Lists, can_be_read_before_lasthalf)
{
    const std::vector<Body> bodies = moving_bodies(80, 10);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 20);
    client.first(block, 80);
    client.expect_lists(block, 80);
    client.expect_right(block, 80, client.last(block, 80));
    client.expect_lists(block, 80);
}

TEST_P(Lists, can_be_read_again)
{
    const std::vector<Body> bodies = moving_bodies(80, 11);
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 20);
    client.run(block);
    for (int k = 0; k < 3; ++k) client.expect_lists(block, 80);
    EXPECT_EQ(g6_read_neighbour_list_old(client.id()), 0);
    EXPECT_EQ(client.list(3), evaluate(client.memory(), 80, 0, block.particle(3)).neighbours);
}

TEST_P(Lists, read_without_any_block_does_not_crash)
{
    const int status = g6_read_neighbour_list(client.id());
    int n = 5, nbl[1] = {-99};
    EXPECT_NE(g6_get_neighbour_list(client.id(), 0, 1, &n, nbl), 1);
    EXPECT_LE(status, 0);
    EXPECT_EQ(nbl[0], -99);
}

TEST_P(Lists, of_no_particles_are_empty)
{
    client.set_all(moving_bodies(10, 12));
    const IBlock block = block_of(moving_bodies(10, 12), 0, 3, 0, 0, 100);
    client.run(block);
    client.expect_lists(block, 10);
    client.expect_right(block, 0, client.run(block, 0));
    client.expect_lists(block, 0);
}

}  // namespace
}  // namespace g6test
