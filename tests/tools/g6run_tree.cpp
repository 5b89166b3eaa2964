// SPDX-License-Identifier: MIT
// The leapfrog, and its two force fields from trees.
#include "g6run_systems.h"

#include "tools/g6run/integrator.h"
#include "tools/g6run/leapfrog.h"
#include "tools/g6run/treecode.h"

#include <g6lib.h>

namespace g6runtest {
namespace {

using namespace g6run;

// A Plummer sphere of n bodies, softened by 1/64, and its sums.
struct Sphere {
    std::vector<Vector> x;
    std::vector<double> mass;
    std::vector<g6test::Expected> sums;

    explicit Sphere(int n)
    {
        for (const Body &b : plummer_snapshot(std::size_t(n), 1).bodies) {
            x.push_back({b.x[0], b.x[1], b.x[2]});
            mass.push_back(b.mass);
        }
        const g6test::Memory memory = memory_of(x, mass);
        for (int k = 0; k < n; k++) sums.push_back(pull_on(memory, k, 1.0 / 4096));
    }

    // Mean |da|/|a|.
    double error(Field &field) const
    {
        std::vector<Vector> acc(x.size());
        std::vector<double> pot;
        field.compute(x, mass, acc, pot);
        double sum = 0;
        for (std::size_t k = 0; k < x.size(); k++) {
            const auto &e = sums[k];
            const auto size = [](const auto &a, const auto &b) {
                return std::hypot(double(a[0] - b[0]), double(a[1] - b[1]), double(a[2] - b[2]));
            };
            sum += size(acc[k], e.acc) / size(e.acc, Vector{}) / double(x.size());
            EXPECT_NEAR(pot[k], double(e.pot), 0.02 * std::fabs(double(e.pot))) << k;
        }
        return sum;
    }
};

// A group of one opens what a plain walk opens; Nakasato's table has 1.4e-3 for theta = 0.5 of such
// walks, for 1e5 bodies: fewer err more, by a factor of two at most here, and groups less.
TEST(GroupTreecode, errs_as_a_tree_of_its_opening_angle_does)
{
    const Sphere sphere(3000);
    Gravity gravity("cpu", "double", "treeonly", 1.0 / 64, "", false);
    double last = 1;
    for (int group : {1, 32, 256}) {
        Treecode tree(gravity, 0.5, group);
        const double error = sphere.error(tree);
        EXPECT_LT(error, 2.8e-3);
        EXPECT_GT(error, 1e-5);
        EXPECT_LE(error, last);
        last = error;
    }
}

TEST(GroupTreecode, with_angle_zero_is_a_direct_sum)
{
    const Sphere sphere(500);
    Gravity gravity("cpu", "double", "treeonly", 1.0 / 64, "", false);
    for (int group : {1, 50, 1000}) {
        Treecode tree(gravity, 0, group);
        EXPECT_LT(sphere.error(tree), 1e-13);
    }
}

TEST(GroupTreecode, shares_lists_and_sums_fewer_pairs_than_all)
{
    constexpr int kBodies = 20000;
    std::vector<Vector> x;
    for (const Body &b : plummer_snapshot(kBodies, 1).bodies) x.push_back({b.x[0], b.x[1], b.x[2]});
    Gravity gravity("cpu", "mixed", "treeonly", 1.0 / 64, "", false);
    Treecode tree(gravity, 1.0, 200);
    std::vector<Vector> acc;
    std::vector<double> pot;
    tree.compute(x, std::vector<double>(kBodies, 1.0 / kBodies), acc, pot);
    EXPECT_GT(tree.lists(), kBodies / 200);
    EXPECT_LT(tree.lists(), kBodies / 10);
    EXPECT_LT(tree.interactions(), 0.5 * kBodies * kBodies);
}

// Two tight clusters at distance 1, softened by 0.1: each is a point to the other and feels next to
// nothing of itself.  At any angle the cell of both must be opened, for it holds the group.
TEST(GroupTreecode, never_takes_a_cell_that_holds_the_group)
{
    std::vector<Vector> x;
    for (int k = 0; k < 40; k++)
        x.push_back({k % 2 + 1e-5 * std::sin(k), 1e-5 * std::sin(2 * k), 1e-5 * std::sin(3 * k)});
    const std::vector<double> mass(40, 1);
    const g6test::Memory memory = memory_of(x, mass);
    Gravity gravity("cpu", "double", "treeonly", 0.1, "", false);
    for (int group : {1, 20}) {
        Treecode tree(gravity, 10, group);
        std::vector<Vector> acc;
        std::vector<double> pot;
        tree.compute(x, mass, acc, pot);
        for (int k = 0; k < 40; k++) {
            const auto expected = double(pull_on(memory, k, 0.01).acc[0]);
            EXPECT_NEAR(acc[std::size_t(k)][0], expected, 0.05 * std::fabs(expected)) << k;
        }
    }
}

// The cube at the origin has edge 4; most of its mass is at one corner, a tenth at the opposite
// one.  Its centre of mass, 8 away, is outside l/theta = 5.3 but not outside l/theta + s = 8.1: the
// cell is opened, or the force of its far corner is wrong by some per cent.
TEST(GroupTreecode, opens_cells_whose_mass_lies_off_their_centre)
{
    std::vector<Vector> x = {{8, 0, 0}};
    std::vector<double> mass = {1e-9};
    for (int corner : {0, 1})
        for (int k = 0; k < 20; k++) {
            const double at = corner ? 3.99 : 0;
            x.push_back({at + 1e-3 * (k % 3), at + 1e-3 * (k % 5), at + 1e-3 * (k % 7)});
            mass.push_back(corner ? 0.1 : 1);
        }
    const g6test::Expected expected = pull_on(memory_of(x, mass), 0, 0);
    Gravity gravity("cpu", "double", "treeonly", 0, "", false);
    Treecode tree(gravity, 0.75, 1);
    std::vector<Vector> acc;
    std::vector<double> pot;
    tree.compute(x, mass, acc, pot);
    for (std::size_t d = 0; d < 3; d++)
        EXPECT_NEAR(acc[0][d], double(expected.acc[d]), 1e-3 * std::fabs(double(expected.acc[0])))
            << d;
}

TEST(LibraryField, walks_the_librarys_tree_at_the_angle_asked_for)
{
    const Sphere sphere(4000);  // fewer would be direct sums
    for (const char *theta : {"0", "0.5", "1"}) {
        Gravity gravity("cpu", "double", "treewalk", 1.0 / 64, theta, false);
        EXPECT_TRUE(gravity.is_tree());
        LibraryField field(gravity);
        const double error = sphere.error(field);
        const bool open = theta[0] == '0' && !theta[1];
        EXPECT_LT(error, theta[1] ? 2.8e-3 : open ? 1e-13 : 1.5e-2) << theta;
        EXPECT_EQ(error > 1e-5, !open) << theta;
    }
}

// From the second force on: the first one finds none.
TEST(BlockSteps, over_a_tree_tell_it_the_old_accelerations)
{
    double summed[2];
    for (int known : {0, 1}) {
        Settings s;
        s.eps = 1.0 / 32;
        Gravity gravity("cpu", "mixed", "treewalk", s.eps, "0.7");
        g6_set_option(0, "direct", "0");
        g6_set_option(0, "mac", known ? "acceleration" : "bh");
        const double before = gravity.interactions();
        Integrator run(gravity, plummer_snapshot(2000, 4).bodies, s, 0, false);
        summed[known] = gravity.interactions() - before;
        g6_set_option(0, "mac", "bh");
        g6_set_option(0, "direct", "auto");
    }
    EXPECT_NE(summed[0], summed[1]);
}

}  // namespace
}  // namespace g6runtest
