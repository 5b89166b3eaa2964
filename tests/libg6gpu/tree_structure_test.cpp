// SPDX-License-Identifier: MIT
// Details of the host's tree that sums over many cells hide: opening radii to the last factor, and
// cells with masses of both signs.
#include "libg6gpu/tree/criteria.h"
#include "tree_systems.h"

#include <gtest/gtest.h>

namespace g6test {
namespace {

using namespace g6;

bool is_leaf(const TreeView &t, int k)
{
    return t.cell[k].next == k + 1;
}

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
            (mixed ? is_leaf(t, k) ? leaves : cells : pure)++;
        }
        EXPECT_GT(cells, 30);
        EXPECT_GT(pure, 100);
        EXPECT_TRUE(leaf == 1 || leaves > 10);
    }
}

}  // namespace
}  // namespace g6test
