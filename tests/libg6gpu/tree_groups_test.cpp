// SPDX-License-Identifier: MIT
// i-particles in the order of their keys, in groups: nobody is lost.
#include "libg6gpu/tree/groups.h"

#include "libg6gpu/tree/keys.h"
#include "tree_systems.h"

#include <gtest/gtest.h>
#include <numeric>

namespace g6test {
namespace {

using namespace g6;

constexpr std::size_t kStride = 3;

std::vector<double> positions(const std::vector<Body> &bodies)
{
    std::vector<double> x;
    for (const Body &b : bodies) x.insert(x.end(), b.x.begin(), b.x.end());
    return x;
}

// Every i-particle once, in groups of at most `most`, by ascending keys.
void expect_all_once(const Groups &g, int n, int most)
{
    std::vector<int> seen(n);
    int at = 0;
    for (const Group &group : g.groups()) {
        ASSERT_EQ(group.first, at);
        ASSERT_GT(group.last, group.first);
        ASSERT_LE(group.last - group.first, most);
        at = group.last;
    }
    ASSERT_EQ(at, n);
    for (int k = 0; k < n; ++k) {
        ASSERT_EQ(seen[g.number(k)]++, 0);
        if (k > 0) {
            ASSERT_LE(g.key(k - 1), g.key(k));
        }
    }
}

TEST(Groups, hold_every_particle_once_in_the_order_of_keys)
{
    Tree tree;
    tree.write_all(resting_bodies(3000, 1));
    const TreeView &view = tree.update();
    for (int n : {1, 2, 100, 3000, 9000}) {
        const std::vector<double> x = positions(resting_bodies(n, 2));
        for (int threads : {1, 3}) {
            Groups g;
            g.sort(view, x.data(), kStride, n, threads);
            g.divide_runs(view, 128, 1, threads);
            expect_all_once(g, n, 128);
            g.divide_runs(view, 32, 8, threads);
            expect_all_once(g, n, 32);
            for (int k = 0; k < n; ++k) {
                const Cube cube = {{view.corner[0], view.corner[1], view.corner[2]}, view.size};
                const double *at = x.data() + kStride * g.number(k);
                ASSERT_EQ(g.key(k), key_of(cube, at[0], at[1], at[2]));
                ASSERT_EQ(g.place(k),
                          std::lower_bound(view.key, view.key + view.bodies, g.key(k)) - view.key);
            }
        }
    }
}

// Then a group's box does not grow with the number of bodies that are in no block.
TEST(Groups, of_few_particles_have_few_bodies_between_them)
{
    const std::vector<Body> bodies = resting_bodies(40000, 6);
    Tree tree;
    tree.write_all(bodies);
    const TreeView &view = tree.update();
    std::vector<Body> some;
    for (int k = 0; k < 40000; k += 500) some.push_back(bodies[k]);
    const std::vector<double> x = positions(some);
    for (int spread : {1, 4}) {
        Groups g;
        g.sort(view, x.data(), kStride, 80, 1);
        g.divide_runs(view, 64, spread, 1);
        expect_all_once(g, 80, 64);
        EXPECT_LT(g.groups().size(), 80u);
        for (const Group &group : g.groups())
            for (int k = group.first + 1; k < group.last; ++k)
                ASSERT_LE(g.place(k) - g.place(k - 1), 2 * 1024 * spread);
    }
}

}  // namespace
}  // namespace g6test
