// SPDX-License-Identifier: MIT
// When the host's tree is built anew, and when it is only refreshed.
#include "tree_systems.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using namespace g6;

TEST(TreeUpdate, builds_anew_when_slots_units_or_shape_changed)
{
    const std::vector<Body> bodies = moving_bodies(100, 3);
    Tree tree;
    for (int k = 0; k < 100; ++k) tree.write(2 * k, bodies[k]);
    tree.update();
    auto expect_build = [&](bool expected, const char *why) {
        const double before = tree.tree.builds();
        tree.update();
        EXPECT_EQ(tree.tree.builds() > before, expected) << why;
    };
    tree.write(4, bodies[9]);
    expect_build(false, "a slot that was there");
    tree.write(5, bodies[9]);
    expect_build(true, "a new slot");
    tree.request.nj = 100;
    expect_build(true, "fewer slots");
    tree.request.walk.leaf = 3;
    expect_build(true, "smaller leaves");
    tree.request.scale.length = 2;
    expect_build(true, "other units");
    tree.request.walk.theta = 0.3;
    expect_build(false, "another angle");
    tree.tree.forget();
    expect_build(true, "forgotten");
}

TEST(TreeUpdate, rebuilds_after_the_number_of_steps_that_was_asked_for)
{
    Tree tree;
    tree.write_all(moving_bodies(100, 4));
    tree.request.motion = Motion::kQuartic;
    tree.request.walk.rebuild = 3;
    for (int step = 0; step < 12; ++step) {
        tree.request.t = step / 64.0;
        tree.update();
    }
    EXPECT_EQ(tree.tree.builds(), 4);  // at steps 0, 3, 6 and 9
}

// With an excess of s k over a fresh walk at age k, and a build of cost B, the mean cost is least
// after sqrt(2 B / s) steps.
TEST(TreeRebuild, follows_the_least_mean_cost)
{
    const double bodies = 1000, build = RebuildPolicy::kPerBodyBuilt * bodies;
    for (double growth : {1.0, 10.0, 100.0}) {
        RebuildPolicy policy;
        policy.built();
        int age = 0;
        while (!policy.due(0, bodies) && age < 10000) {
            policy.walked(50000 + growth * age, 0, 10);
            policy.refreshed();
            ++age;
        }
        EXPECT_NEAR(age, std::sqrt(2 * build / growth), 3) << growth;
    }
}

// Where a walk in a tree of age k costs four builds more than one in a tree of age k - 1, building
// for each walk is best.  The policy tries an older tree rarely.
TEST(TreeRebuild, foresees_a_walk_that_costs_more_than_building)
{
    const double bodies = 1000, build = RebuildPolicy::kPerBodyBuilt * bodies;
    const int ni = 10, steps = 100;
    RebuildPolicy policy;
    policy.built();
    int age = 0, builds = 0;
    for (int k = 0; k < steps; ++k) {
        policy.walked(50000 * ni + 4 * build * age, 0, ni);
        if (policy.due(0, bodies) || policy.due_for(0, bodies, ni)) {
            policy.built();
            age = 0;
            ++builds;
        } else {
            policy.refreshed();
            ++age;
        }
    }
    EXPECT_GT(builds, 0.9 * steps);
    EXPECT_LT(builds, steps);
}

// Walks of few i-particles cost little in an old tree, too, and do without.
TEST(TreeRebuild, leaves_small_walks_the_tree_of_large_ones)
{
    const double bodies = 1000, build = RebuildPolicy::kPerBodyBuilt * bodies;
    RebuildPolicy policy;
    policy.built();
    policy.walked(1000 * 50000.0, 0, 1000);
    policy.walked(10 * 60000.0, 0, 10);
    policy.refreshed();
    policy.walked(1000 * 50000.0 + 0.9 * build, 0, 1000);
    EXPECT_FALSE(policy.due(0, bodies));
    EXPECT_FALSE(policy.due_for(0, bodies, 10));
    EXPECT_TRUE(policy.due_for(0, bodies, 1000));
}

}  // namespace
}  // namespace g6test
