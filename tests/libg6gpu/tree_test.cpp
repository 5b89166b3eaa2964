// SPDX-License-Identifier: MIT
// The host's tree, cell by cell, against plain sums over the bodies of each cell: when built, and
// when only refreshed.
#include "tree_systems.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using namespace g6;

// Sums of some hundred doubles of size 1.
constexpr double kRounding = 1e-12;

void expect_every_body_once(const TreeView &t, const std::vector<Body> &bodies)
{
    ASSERT_EQ(t.bodies, int(bodies.size()));
    std::vector<int> seen(bodies.size());
    for (int p = 0; p < t.bodies; ++p) {
        ASSERT_GE(t.slot[p], 0);
        ASSERT_LT(t.slot[p], int(bodies.size()));
        ++seen[t.slot[p]];
        ASSERT_EQ(t.index[p], bodies[t.slot[p]].index);
        if (p == 0) continue;
        ASSERT_LE(t.key[p - 1], t.key[p]);
    }
    for (int n : seen) ASSERT_EQ(n, 1);
    for (int p = 1; p < t.bodies; ++p) {
        const int a = t.by_index[p - 1], b = t.by_index[p];
        ASSERT_TRUE(t.index[a] < t.index[b] || (t.index[a] == t.index[b] && a < b));
    }
}

// Leaves take the bodies one after the other; children fill their parent.
void expect_links(const TreeView &t, int leaf)
{
    ASSERT_GT(t.cells, 0);
    ASSERT_EQ(t.cell[0].next, t.cells);
    int taken = 0;
    for (int k = 0; k < t.cells; ++k) {
        const G6Cell &c = t.cell[k];
        ASSERT_GT(c.count, 0);
        ASSERT_GT(c.next, k);
        ASSERT_LE(c.next, t.cells);
        if (c.next == k + 1) {
            ASSERT_EQ(c.first, taken);
            taken += c.count;
            ASSERT_TRUE(c.count <= leaf || c.level == kKeyLevels);
            continue;
        }
        int children = 0, at = c.first;
        for (int child = k + 1; child < c.next; child = t.cell[child].next, ++children) {
            ASSERT_EQ(t.cell[child].first, at);
            ASSERT_GT(t.cell[child].level, c.level);
            at += t.cell[child].count;
        }
        ASSERT_EQ(at, c.first + c.count);
        ASSERT_GE(children, 2);
        ASSERT_LE(children, 8);
        ASSERT_GT(c.count, leaf);
    }
    ASSERT_EQ(taken, t.bodies);
}

void expect_moments(const TreeView &t)
{
    for (int k = 0; k < t.cells; ++k) {
        SCOPED_TRACE("cell " + std::to_string(k));
        const CellTruth truth(t, t.cell[k]);
        ASSERT_NEAR(t.cell[k].mass, double(truth.mass), kRounding * double(truth.size));
        double l = 1;  // coordinates up to this are rounded
        for (int d = 0; d < 3; ++d) {
            ASSERT_EQ(t.box[k].low[d], truth.low[d]);
            ASSERT_EQ(t.box[k].high[d], truth.high[d]);
            l = std::max({l, std::fabs(truth.low[d]), std::fabs(truth.high[d])});
        }
        for (int d = 0; d < 3; ++d) {
            ASSERT_NEAR(t.cell[k].x[d], double(truth.centre[d]), kRounding * l);
            if (!t.velocity) continue;
            ASSERT_NEAR(t.velocity[k][d], double(truth.velocity[d]), 10 * kRounding);
        }
        for (int n = 0; t.quadrupole && n < 6; ++n)
            ASSERT_NEAR(t.quadrupole[k][n], double(truth.s[n]), kRounding * l * l);
    }
}

// The radii are no smaller than the criterion's formula with what the bodies say; l is the edge of
// the octree's cell, or of the box that its bodies have grown to.
void expect_radii(const TreeView &t, const Walk &walk)
{
    Real typical = 0;
    for (int k = 0; k < t.cells; ++k) {
        SCOPED_TRACE("cell " + std::to_string(k));
        const G6Cell &c = t.cell[k];
        const CellTruth truth(t, c);
        if (k == 0) typical = truth.size * truth.size / truth.b2;
        Real l = std::ldexp(Real(t.size), -c.level);
        for (int d = 0; d < 3; ++d) l = std::max(l, Real(truth.high[d]) - truth.low[d]);
        const Real theta = walk.theta;
        const Real error = theta * theta * theta * theta / 48 * typical;
        ASSERT_GE(std::sqrt(Real(c.radius2)), truth.reach * (1 - 1e-12L));
        ASSERT_GE(std::sqrt(Real(c.near2)), truth.reach * (1 - 1e-12L));
        if (c.radius2 > 1e30f) continue;  // never taken
        const Real d = std::sqrt(Real(c.radius2)), b = truth.reach;
        switch (walk.mac) {
        case Mac::kBh: ASSERT_GE(d, l / theta); break;
        case Mac::kBmax: ASSERT_GE(d * (1 + 1e-12L), b / theta); break;
        case Mac::kMultipole:
            ASSERT_LE((walk.multipole ? 4 * truth.b3 / d : 3 * truth.b2) /
                          (d * d * (d - b) * (d - b)),
                      error * (1 + 1e-5L));
            break;
        case Mac::kCombined:
            if (d * (1 + 1e-6L) < l / (0.8L * theta)) {
                const Real bound = (walk.multipole ? 4 * truth.b3 / d : 3 * truth.b2) /
                                   (d * d * (d - b) * (d - b));
                ASSERT_LE(bound, error * (1 + 1e-5L));
            }
            break;
        case Mac::kAcceleration:
            ASSERT_GE(Real(c.weight) * (1 + 1e-6L),
                      std::fabs(truth.mass) * l * l * 48 / (theta * theta * theta * theta));
            break;
        }
    }
}

class TreeShape : public testing::TestWithParam<const char *> {};
std::vector<Body> system(const std::string &name)
{
    std::vector<Body> b = moving_bodies(3000, 1);
    for (Body &body : b) {
        if (name == "line") body.x[1] = body.x[2] = -3;
        if (name == "clusters") body.x = scaled(body.x, body.index % 3 ? 1e-4 : 1);
        if (name == "pairs" && body.index % 2) body.x = b[body.index % 3000].x;
        if (name == "far" && body.index == 7) body.x[2] = 1e10;
    }
    return b;
}
INSTANTIATE_TEST_SUITE_P(, TreeShape, testing::Values("cube", "line", "clusters", "pairs", "far"));

TEST_P(TreeShape, holds_every_body_once_and_its_links_close)
{
    const std::vector<Body> bodies = system(GetParam());
    for (int leaf : {1, 8, 16, 5000})
        for (int threads : {1, 3}) {
            Tree tree;
            tree.write_all(bodies);
            tree.request.walk.leaf = leaf;
            tree.request.threads = threads;
            const TreeView &view = tree.update();
            expect_every_body_once(view, bodies);
            expect_links(view, leaf);
        }
}

TEST_P(TreeShape, moments_and_radii_are_those_of_the_bodies)
{
    const std::vector<Body> bodies = system(GetParam());
    for (int mac = 0; mac < 5; ++mac)
        for (int multipole : {0, 2}) {
            Tree tree;
            tree.write_all(bodies);
            tree.request.motion = Motion::kQuartic;
            tree.request.walk.mac = Mac(mac);
            tree.request.walk.multipole = multipole;
            tree.request.walk.theta = multipole ? 0.6 : 3;  // beyond the series' convergence
            tree.update();
            expect_moments(tree.tree.view());
            expect_radii(tree.tree.view(), tree.request.walk);
        }
}

// Bodies cross the whole system while the structure stays.
TEST_P(TreeShape, a_refresh_renews_all_but_the_structure)
{
    const std::vector<Body> bodies = system(GetParam());
    for (int mac = 0; mac < 5; ++mac) {
        Tree tree;
        tree.write_all(bodies);
        tree.request.motion = Motion::kQuartic;
        tree.request.walk.mac = Mac(mac);
        tree.request.walk.multipole = 2;
        tree.request.walk.rebuild = 1000;
        tree.update();
        const auto structure = tree.tree.view().structure;
        for (double t : {0.01, 0.5, 1.5, -1.0}) {
            tree.request.t = t;
            Body moved = bodies[17];
            moved.mass *= 2;
            tree.write(17, moved);
            const TreeView &view = tree.update();
            EXPECT_EQ(view.structure, structure);
            expect_links(view, 16);
            expect_moments(view);
            expect_radii(view, tree.request.walk);
        }
    }
}

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
