// SPDX-License-Identifier: MIT
// The host's tree: when it is built again and when only refreshed, its cube, its opening radii, and
// masses of both signs.
#include "libg6gpu/tree/criteria.h"
#include "tree_systems.h"

#include <gtest/gtest.h>
#include <set>

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

// ---- the root's cube: which bodies it is around, and what its sample sees of slots with holes

// Bodies in every step-th slot.
const TreeView &view_of(Tree &tree, const std::vector<Body> &bodies, int step = 1)
{
    for (int k = 0; k < int(bodies.size()); ++k) tree.write(step * k, bodies[k]);
    return tree.update();
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
        EXPECT_EQ(std::set<std::uint64_t>(t.key, t.key + t.bodies).size(), 3000u);
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

// ---- details that sums over many cells hide: opening radii to the last factor, and cells with
// masses of both signs

// ---- the formulas of the criteria

TEST(Criteria, are_met_with_equality_at_their_radius)
{
    const double l = 0.3, s = 0.1, b = 0.25, b2 = 0.7, theta = 0.6, error = 0.02;
    EXPECT_DOUBLE_EQ(g6_radius_bh(l, s, theta), l / theta + s);
    EXPECT_DOUBLE_EQ(g6_radius_bmax(b, theta), b / theta);
    double d = g6_radius_multipole(b, b2, error);
    EXPECT_NEAR(3 * b2 / (d * d * (d - b) * (d - b)), error, 1e-12);
    d = g6_radius_quadrupole(b, b2, error, b + std::pow(4 * b * b2 / error, 0.2));
    EXPECT_NEAR(4 * b * b2 / (d * d * d * (d - b) * (d - b)), error, 1e-4 * error);
    EXPECT_GE(d, b);
}

// ---- opening radii

struct Cubes {
    std::vector<Vec3> centre;
    std::vector<double> edge;

    // Of the octree's cells, by their first bodies, where these are when the tree is built.
    explicit Cubes(const TreeView &t)
    {
        for (int k = 0; k < t.cells; ++k) {
            const double l = std::ldexp(t.size, -t.cell[k].level);
            Vec3 c;
            for (int d = 0; d < 3; ++d) {
                const double most = std::ldexp(1.0, t.cell[k].level) - 1,
                             at = std::floor((t.x[d][t.cell[k].first] - t.corner[d]) / l);
                c[d] = t.corner[d] + (std::min(at, most) + 0.5) * l;
            }
            centre.push_back(c);
            edge.push_back(l);
        }
    }
};

// bh: l/theta + s, with the octree's cube while the bodies are in it, then with a cube around them.
// At this theta it is more than 1.5 b whatever the cell.  The same whether just built or refreshed.
TEST(TreeRadius, of_bh_is_that_of_the_cube_or_of_the_box_that_outgrew_it)
{
    const double theta = 0.5;
    Tree tree;
    tree.write_all(moving_bodies(3000, 1));
    tree.request.walk.mac = Mac::kBh;
    tree.request.motion = Motion::kQuartic;
    tree.request.walk.theta = theta;
    tree.request.walk.rebuild = 1000;
    const Cubes cubes(tree.update());
    for (double t : {0.0, 0.01, 0.3}) {
        tree.request.t = t;
        const TreeView &view = tree.update();
        int inside_cells = 0, outside_cells = 0;
        for (int k = 0; k < view.cells; ++k) {
            SCOPED_TRACE(testing::Message() << "time " << t << ", cell " << k);
            const CellTruth truth(view, view.cell[k]);
            Real l = cubes.edge[k], s2 = 0;
            // Bodies on the cube's faces may count as either.
            bool inside = true, unclear = false;
            for (int d = 0; d < 3; ++d) {
                const double half = cubes.edge[k] / 2, slack = 1e-12 * view.size;
                const double room = std::min(truth.low[d] - (cubes.centre[k][d] - half),
                                             cubes.centre[k][d] + half - truth.high[d]);
                inside = inside && room >= 0;
                unclear = unclear || std::fabs(room) < slack;
                l = std::max(l, Real(truth.high[d]) - truth.low[d]);
            }
            if (unclear) continue;
            (inside ? inside_cells : outside_cells)++;
            for (int d = 0; d < 3; ++d) {
                const Real middle =
                    inside ? Real(cubes.centre[k][d]) : (Real(truth.low[d]) + truth.high[d]) / 2;
                s2 += (truth.centre[d] - middle) * (truth.centre[d] - middle);
            }
            const Real bh = l / theta + std::sqrt(s2), expected = std::max(bh, Real(1e-6)),
                       radius = std::sqrt(Real(view.cell[k].radius2));
            ASSERT_NEAR(double(radius / expected), 1, 1e-6);
        }
        EXPECT_TRUE(t > 0 || inside_cells > 200);
        EXPECT_TRUE(t < 0.3 || outside_cells > 200);
    }
}

// ---- negative masses

// A quarter of space has masses of both signs: cells there are always opened, down to those whose
// bodies agree.
TEST(TreeMasses, of_both_signs_keep_a_cell_from_acting_whole)
{
    for (int leaf : {1, 4}) {
        std::vector<Body> bodies = moving_bodies(2000, 2);
        for (Body &b : bodies)
            if (b.x[0] > 0 && b.x[1] > 0 && b.index % 2) b.mass = -b.mass;
        Tree tree;
        tree.write_all(bodies);
        tree.request.walk.leaf = leaf;
        const TreeView &t = tree.update();
        int leaves = 0, cells = 0, pure = 0;
        for (int k = 0; k < t.cells; ++k) {
            bool plus = false, minus = false;
            for (int p = t.cell[k].first; p < t.cell[k].first + t.cell[k].count; ++p)
                (t.mass[p] > 0 ? plus : minus) = true;
            const bool mixed = plus && minus;
            ASSERT_EQ(t.cell[k].radius2 > 1e30f, mixed) << k;
            const bool is_leaf = t.cell[k].next == k + 1;
            (mixed ? is_leaf ? leaves : cells : pure)++;
        }
        EXPECT_GT(cells, 30);
        EXPECT_GT(pure, 100);
        EXPECT_TRUE(leaf == 1 || leaves > 10);
    }
}

}  // namespace
}  // namespace g6test
