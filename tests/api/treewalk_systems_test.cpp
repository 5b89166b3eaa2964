// SPDX-License-Identifier: MIT
// Mode treewalk: cells around the particle, indices of any kind, and systems that change between
// two trees.  The sequences of g6fuzz have indices that many particles share, ties, lists and
// unusual systems.
#include "treewalk.h"

#include <algorithm>
#include <map>

namespace g6test {
namespace {

G6_SUITE(WalkPhysics, TreewalkSystems);

// Two tight clusters at distance 1, softened by 0.1: in one of them a force is next to nothing of
// its own cluster, and that of a point of mass 40, the other one.  The cell of both holds the place
// of the i-particle, at d = b from its centre of mass.  If it acted as a whole, the force would be
// 80 x 0.5 / 0.26^1.5, more than seven times as large.  The i-particles are no j-particles, whose
// cells are opened in any case, and are of one cluster, since a group of both would open the cell.
TEST_P(TreewalkSystems, a_cell_that_holds_the_particle_is_opened_at_any_opening_angle)
{
    for (const char *mac : {"bh", "bmax", "multipole", "acceleration", "combined"}) {
        SCOPED_TRACE(mac);
        client.reopen();
        walk("10");
        client.option("mac", mac);
        std::vector<Body> bodies = resting_bodies(80, 11);
        for (Body &b : bodies) {
            b.mass = 1;
            b.x = {b.index % 2 + 1e-6 * b.x[0], 1e-6 * b.x[1], 1e-6 * b.x[2]};
        }
        client.set_all(bodies);
        IBlock block;
        for (const Body &b : bodies)
            if (b.index % 2 == 0) block.add(-1 - b.index, b.x);
        ASSERT_EQ(block.size(), 40);
        block.eps2 = 0.01;
        // Old accelerations that are known, and large enough for any cell.
        const Output out = run_with_aold(client, block, std::vector<Vec3>(40, Vec3{1e6, 0, 0}));
        const double point = 40 / std::pow(1.01, 1.5);
        for (int k = 0; k < 40; ++k) EXPECT_NEAR(out.acc[k][0], point, 0.01 * point) << k;
    }
}

// A backend may find an index by its slot, in a table or by a search: the tree is the same.
TEST_P(TreewalkSystems, results_do_not_depend_on_how_indices_are_numbered)
{
    walk("0.5");
    const int n = 3000;
    const auto by_slot = [](int k) { return k - 100; };
    const auto backwards = [](int k) { return 9000 - 3 * k; };
    const auto far_apart = [](int k) { return k * 700000; };
    std::vector<Body> bodies = moving_bodies(n, 33);
    Output first(0);
    std::vector<std::vector<int>> first_lists;
    for (int (*number)(int) : {+by_slot, +backwards, +far_apart, +by_slot}) {
        client.reopen();
        walk("0.5");
        for (int k = 0; k < n; ++k) bodies[k].index = number(k);
        for (int k = 0; k < n; ++k)
            if (k % 7) client.set(k, bodies[k]);  // the others' slots stay empty
        const IBlock block = block_of(bodies, 500, 100, 0, 1.0 / 65536, 0.01);
        Output out = client.run(block, n);
        client.expect_close(block, n, out, 0.02);
        std::vector<std::vector<int>> lists;
        for (int k = 0; k < block.size(); ++k) lists.push_back(client.list(k));
        // From indices to slots.
        std::map<int, int> slot;
        for (int k = 0; k < n; ++k) slot[number(k)] = k;
        for (int &index : out.nearest) index = slot.at(index);
        for (std::vector<int> &list : lists) {
            for (int &index : list) index = slot.at(index);
            std::sort(list.begin(), list.end());
        }
        if (first.nearest.empty()) first = out, first_lists = lists;
        EXPECT_TRUE(same_bits(out, first));
        EXPECT_EQ(lists, first_lists);
    }
}

// Velocities come and go while the structure stays.
TEST_P(TreewalkSystems, bodies_may_begin_and_cease_to_move)
{
    walk("0.4");
    client.debug("rebuild", "100");
    std::vector<Body> bodies = resting_bodies(2000, 34);
    const std::vector<Body> moving = moving_bodies(2000, 34);
    for (int step = 0; step < 5; ++step) {
        SCOPED_TRACE("step " + std::to_string(step));
        for (int k = 0; k < 2000; ++k)
            bodies[k].v = step % 2 ? moving[k].v : Vec3{}, bodies[k].x[step % 3] *= 0.999;
        client.set_all(bodies);
        const IBlock block = block_of(bodies, 100 * step, 50, 0, 1.0 / 65536, 0.01);
        const Output out = client.run(block);
        client.expect_close(block, 2000, out, 0.02);
        for (int k = 0; k < block.size(); ++k) {
            const Expected e = evaluate(client.memory(), 2000, 0, block.particle(k));
            ASSERT_TRUE(within("jerk", e.jerk, out.jerk[k], 0.05 * e.jerk_size));
        }
    }
}

// Seventeen in each cube of a lattice, with leaves of sixteen: more cells by half than these bodies
// made before, when they lay at random.
TEST_P(TreewalkSystems, more_cells_than_expected_do_no_harm)
{
    walk("0.4");
    client.debug("rebuild", "1");
    const int side = 8, each = 17, n = side * side * side * each;
    std::vector<Body> bodies = client.set_all(resting_bodies(n, 31));
    client.run(block_of(bodies, 1000, 3));
    for (int k = 0; k < n; ++k) {
        const int cube = k / each, at[3] = {cube / side / side, cube / side % side, cube % side};
        for (int c = 0; c < 3; ++c)  // the outermost touch the faces of the box
            bodies[k].x[c] = (at[c] + 0.5 + 0.4999 * bodies[k].x[c]) / side;
    }
    for (int c = 0; c < 3; ++c) bodies[0].x[c] = 0, bodies[n - 1].x[c] = 1;
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 1000, 3, 0, 1e-6, 1e-5);
    for (int step = 0; step < 3; ++step) {
        client.set(step, bodies[step]);  // the structure is made anew
        client.expect_close(block, n, client.run(block), 0.01);
    }
}

// First sixteen bodies in each cube of a flat lattice, which make few cells, none of them small.
// Then ten times as many cells, of clumps of seventeen and seven, and one clump so small that only
// a small part of the cells tells of it.
TEST_P(TreewalkSystems, a_small_clump_among_more_cells_than_expected_does_no_harm)
{
    walk("0.4");
    client.debug("rebuild", "1");
    const int n = 4096 * 24;
    std::vector<Body> bodies = resting_bodies(n, 37);
    const std::vector<Body> random = bodies;
    const auto place = [&](int k, int cube, int side, const Vec3 &inside) {
        const int at[3] = {cube % side, cube / side % side, cube / side / side};
        for (int c = 0; c < 3; ++c) bodies[k].x[c] = (at[c] + inside[c]) / side;
    };
    const auto within = [&](int k, double low, double size) {
        Vec3 x = random[k].x;
        for (double &u : x) u = low + size * (0.5 + 0.4 * u);
        return x;
    };
    for (int k = 0; k < n; ++k) place(k, k / 16, 32, within(k, 0, 1));
    bodies[0].x = {0, 0, 0}, bodies[n - 1].x = {1, 1, bodies[n - 1].x[2]};
    client.set_all(bodies);
    for (int step = 0; step < 2; ++step) {
        client.set(step, bodies[step]);  // the structure is made anew
        client.run(block_of(bodies, 1000, 3));
    }
    for (int k = 0; k < n; ++k) {
        const bool is_dense = k % 24 < 17;
        const int octant = is_dense ? k % 24 % 8 : k % 24 - 16;
        const double size = is_dense ? 0.25 : 0.5;
        Vec3 inside = within(k, 0, size);
        for (int c = 0; c < 3; ++c) inside[c] += size * (octant >> c & 1);
        place(k, k / 24, 16, k / 24 == 2000 ? within(k, 0.3, 1e-3) : inside);
    }
    bodies[0].x = {0, 0, 0}, bodies[n - 1].x = {1, 1, 1};
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 2000 * 24 - 1, 3, 0, 1e-6, 1e-6);
    client.expect_close(block, n, client.run(block), 0.01);
}

// All but one body come a thousand times as near to each other: a structure like the last one would
// have nearly all of them in one cell.
TEST_P(TreewalkSystems, a_system_that_contracts_is_walked_as_if_it_were_new)
{
    const int n = 2000;
    std::vector<Body> bodies = resting_bodies(n, 35);
    const IBlock early = block_of(bodies, 0, 100);
    walk("0.5");
    client.debug("rebuild", "1");
    client.set_all(bodies);
    for (int step = 0; step < 3; ++step) {
        client.set(step, bodies[step]);
        client.run(early);
    }
    for (Body &b : bodies)
        for (int c = 0; c < 3; ++c)
            if (b.index > 1) b.x[c] = 0.4 + 1e-3 * b.x[c];
    const IBlock block = block_of(bodies, 1000, 100, 0, 1e-8, 1e-9);
    client.set_all(bodies);
    const double before = client.interactions();
    const Output out = client.run(block), again = client.run(block);
    const double summed = client.interactions() - before;
    client.expect_close(block, n, out, 0.02);
    EXPECT_TRUE(same_bits(out, again));
    client.set(7, bodies[7]);  // the structure is made anew, by what is known now
    client.expect_close(block, n, client.run(block), 0.02);

    client.reopen();
    walk("0.5");
    client.debug("rebuild", "1");
    client.set_all(bodies);
    const double fresh = client.interactions();
    EXPECT_TRUE(same_bits(out, client.run(block)));
    client.run(block);
    EXPECT_EQ(summed, client.interactions() - fresh);
}

}  // namespace
}  // namespace g6test
