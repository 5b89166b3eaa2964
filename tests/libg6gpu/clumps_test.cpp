// SPDX-License-Identifier: MIT
// Which systems of j-particles count as clumps that are far apart.
#include "libg6gpu/core/clumps.h"

#include "tests/libg6gpu/tree_systems.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

constexpr int kBodies = 4096;

// Bodies in a cube of side 2 about the origin, each changed by change(number, body).
template <class F> Tree cube(const F &change)
{
    Random random(7);
    Tree tree;
    for (int k = 0; k < kBodies; ++k) {
        Body b{};
        b.x = random.vector(1);
        change(k, b);
        tree.write(k, b);
    }
    return tree;
}

// Bodies in several cubes in turns, whose centres are `distance` apart.
Tree in_cubes(int cubes, double distance)
{
    return cube([&](int k, Body &b) { b.x[0] += distance * (k % cubes); });
}

bool found(const Tree &tree, double t = 0)
{
    return g6::in_far_clumps(tree.store, tree.request.nj, t, true);
}

// The nearest body of the sample in the same cube is at a distance of some 0.2 to 1.2.
TEST(Clumps, distance_decides)
{
    EXPECT_FALSE(found(in_cubes(1, 0)));
    for (const int cubes : {2, 3}) {
        EXPECT_FALSE(found(in_cubes(cubes, 100)));
        EXPECT_TRUE(found(in_cubes(cubes, 4000)));
        EXPECT_TRUE(found(in_cubes(cubes, 1e200)));
    }
}

TEST(Clumps, the_time_of_the_block_counts)
{
    const Tree tree = cube([](int k, Body &b) { b.v[1] = k % 2 ? 1000 : 0; });
    EXPECT_FALSE(found(tree, 0));
    EXPECT_TRUE(found(tree, 8));
}

// A third of the bodies stay at finite places, in two cubes that are far apart.
TEST(Clumps, infinite_positions_are_left_out)
{
    const Tree tree = cube([](int k, Body &b) {
        const int part = k * 32 / kBodies;  // the sample has one body of each
        b.v[0] = part % 3 ? 1e300 : 0;
        b.x[0] += part % 2 ? 4000 : 0;
    });
    EXPECT_TRUE(found(tree, 1e10));
}

}  // namespace
}  // namespace g6test
