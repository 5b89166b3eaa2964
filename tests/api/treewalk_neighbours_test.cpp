// SPDX-License-Identifier: MIT
// Mode treewalk: nearest neighbours and lists follow the same rules as in direct sums, to the last
// bit (lists_test.cpp, nearest_test.cpp).
#include "treewalk.h"

namespace g6test {
namespace {

class TreewalkNeighbours : public WalkPhysics {
protected:
    void SetUp() override { walk("1"); }
};
INSTANTIATE_TEST_SUITE_P(, TreewalkNeighbours,
                         testing::ValuesIn(usable_machines("TreewalkNeighbours")), machine_name);

// (3, 4, 0)/8 and its like lie at r^2 = 25/64, exact in float.
TEST_P(TreewalkNeighbours, the_radius_itself_is_outside)
{
    const double r2 = 25.0 / 64;
    std::vector<Body> bodies = resting_bodies(100, 1);
    for (Body &b : bodies) b.x[2] += 5;
    bodies[30].x = {0.375, 0.5, 0};
    bodies[60].x = {0, 0.375, -0.5};
    bodies[90].x = {-0.5, 0, 0.375};
    client.set_all(bodies);
    for (double h2 : {std::nextafter(r2, 0.0), r2, std::nextafter(r2, 1.0)}) {
        IBlock block;
        block.add(-5, {0, 0, 0}, {}, h2);
        client.run(block);
        ASSERT_EQ(g6_read_neighbour_list(client.id()), 0);
        EXPECT_EQ(client.list(0), h2 > r2 ? (std::vector<int>{31, 61, 91}) : std::vector<int>());
    }
}

TEST_P(TreewalkNeighbours, neighbour_self_decides_about_the_own_index)
{
    std::vector<Body> bodies = resting_bodies(60, 2);
    bodies[41].index = bodies[3].index;
    client.set_all(bodies);
    const IBlock block = block_of(bodies, 0, 50, 0, 0, 1);
    for (const char *self : {"0", "1", "auto", "0"}) {
        client.option("neighbour_self", self);
        client.run(block);
        client.expect_lists(block, 60, {self[0] == '1', true});
    }
}

TEST_P(TreewalkNeighbours, lists_can_be_left_in_the_order_of_addresses)
{
    std::vector<Body> bodies = resting_bodies(200, 3);
    std::vector<int> all;
    for (int k = 0; k < 200; ++k) bodies[k].index = k * 77 % 200;
    for (const Body &b : bodies) all.push_back(b.index);
    client.set_all(bodies);
    IBlock block;
    for (int k = 0; k < 30; ++k) block.add(-1 - k, bodies[k].x, {}, k % 2 ? 100 : 1e-12);
    g6_set_neighbour_list_sort_mode(0);
    client.run(block);
    EXPECT_EQ(g6_read_neighbour_list(client.id()), 0);
    for (int k = 0; k < 30; ++k)
        EXPECT_EQ(client.list(k), k % 2 ? all : std::vector<int>{bodies[k].index}) << k;
    g6_set_neighbour_list_sort_mode(1);
    client.expect_lists(block, 200);
}

// In the caller's units, whatever those of the device are.
TEST_P(TreewalkNeighbours, distance_of_the_nearest_is_in_the_callers_units)
{
    for (double length : {1.0, 1e21, 1e-15}) {
        SCOPED_TRACE(length);
        client.reopen();
        walk("1");
        std::vector<Body> bodies = in_units(resting_bodies(300, 4), length, 1, 1);
        client.set_all(bodies);
        IBlock block = block_of(bodies, 0, 40, 0, 1e-4 * length * length, 0);
        Output out(40);
        std::vector<float> distance(40);
        client.first(block, 300);
        out.status =
            g6calc_lasthalf2p(client.id(), 300, 40, block.index.data(), rows(block.x),
                              rows(block.v), block.eps2, block.h2.data(), rows(out.acc),
                              rows(out.jerk), out.pot.data(), out.nearest.data(), distance.data());
        EXPECT_EQ(out.status, 0);
        for (int k = 0; k < 40; ++k) {
            const Expected e = evaluate(client.memory(), 300, 0, block.particle(k));
            const double r = double(std::sqrt(e.nearest_r2 + block.eps2));
            EXPECT_NEAR(distance[k], r, 2 * kFloatDistance * r);
            EXPECT_EQ(out.nearest[k], e.nearest_index);
        }
    }
}

}  // namespace
}  // namespace g6test
