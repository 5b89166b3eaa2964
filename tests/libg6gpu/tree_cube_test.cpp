// SPDX-License-Identifier: MIT
// The root's cube: which bodies it is around, and what its sample sees of slots with holes.
#include "tree_systems.h"

#include <gtest/gtest.h>
#include <set>

namespace g6test {
namespace {

using namespace g6;

// Bodies in every step-th slot.
const TreeView &view_of(Tree &tree, const std::vector<Body> &bodies, int step = 1)
{
    for (int k = 0; k < int(bodies.size()); ++k) tree.write(step * k, bodies[k]);
    return tree.update();
}

std::size_t different_keys(const TreeView &t)
{
    return std::set<std::uint64_t>(t.key, t.key + t.bodies).size();
}

TEST(TreeCube, is_around_all_bodies)
{
    Tree tree;
    const std::vector<Body> bodies = resting_bodies(1000, 1);
    const TreeView &t = view_of(tree, bodies);
    double extent = 0;
    for (int c = 0; c < 3; ++c) {
        double low = 1, high = -1;
        for (const Body &b : bodies) low = std::min(low, b.x[c]), high = std::max(high, b.x[c]);
        EXPECT_EQ(t.corner[c], low);
        extent = std::max(extent, high - low);
    }
    EXPECT_EQ(t.size, extent);
}

// A uniform cube of side 2 has a core of 1.6, and its sample of 255 bodies knows it to a tenth.
TEST(TreeCube, is_around_the_rest_when_some_are_a_thousand_cores_away)
{
    for (int step : {1, 7, 10, 32}) {
        SCOPED_TRACE(step);
        Tree tree;
        std::vector<Body> bodies = resting_bodies(3000, 2);
        bodies[1234].x = {1e6, 0, 0};
        bodies[77].x = {0, -2e7, 3e5};
        const TreeView &t = view_of(tree, bodies, step);
        EXPECT_NEAR(t.size, 1024 * 1.6, 1024 * 0.16);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(t.corner[c] + t.size / 2, 0, 0.2);
        EXPECT_EQ(different_keys(t), 3000u);
        double lowest = 0, highest = 0;  // boxes have what the cube leaves out
        for (int c = 0; c < 3; ++c) {
            lowest = std::min(lowest, t.box[0].low[c]);
            highest = std::max(highest, t.box[0].high[c]);
        }
        EXPECT_EQ(lowest, -2e7);
        EXPECT_EQ(highest, 1e6);
    }
}

// A place is a number of 21 bits, whatever lies outside.
TEST(TreeCube, places_outside_count_as_at_the_face)
{
    const double infinite = std::numeric_limits<double>::infinity();
    for (double x : {-3.0000001, -1e300, -infinite}) EXPECT_EQ(g6_grid_coordinate(x, -3, 2), 0u);
    for (double x : {-1.0, 5.0, 1e300, infinite})
        EXPECT_EQ(g6_grid_coordinate(x, -3, 2), 0x1fffffu);
    EXPECT_EQ(g6_grid_coordinate(-2, -3, 2), 0x100000u);
    EXPECT_EQ(g6_grid_coordinate(7, 7, std::numeric_limits<double>::min()), 0u);
}

}  // namespace
}  // namespace g6test
