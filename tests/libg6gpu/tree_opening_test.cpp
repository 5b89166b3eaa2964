// SPDX-License-Identifier: MIT
// The limits of the opening criteria (libg6gpu/formulas/opening.h), and a cell's mean position.
#include "libg6gpu/tree/criteria.h"

#include <gtest/gtest.h>
#include <random>

namespace g6 {
namespace {

using Real = long double;

// What an exact test opens, a test in float opens too, though each of its operations rounds: its
// left side is never above the threshold of the exact one.
TEST(TreeOpening, a_threshold_has_room_for_the_rounding_of_tests_in_float)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<float> even(0.1f, 1.0f);
    for (int n = 0; n < 200000; n++) {
        const float x = even(random), y = even(random), z = even(random);
        const float r2 = std::fma(z, z, std::fma(y, y, x * x));
        const Real exact = Real(x) * x + Real(y) * y + Real(z) * z;
        ASSERT_LE(r2, g6_threshold(double(exact)));
        // |a| that was rounded up twice on its way.
        const double a = double(even(random));
        const float rounded = static_cast<float>(a * (1 + 2 * 0x1p-24) * (1 + 0x1p-24));
        ASSERT_LE(r2 * r2 * rounded, g6_threshold(double(exact * exact * a)));
    }
}

TEST(TreeOpening, a_threshold_is_little_more_than_the_number)
{
    for (double x : {1e-12, 0.3, 1.0, 7e20}) {
        EXPECT_GT(double(g6_threshold(x)), x);
        EXPECT_LT(double(g6_threshold(x)), x * (1 + 17 * 0x1p-24));
    }
}

// A multiple of the reach: up to theta = 1.25 1.5 times 0.9, and at least 1.1 times 0.9 beyond;
// with a bound on the error 1.25 times 0.9 at most.  The cell is so small that bh takes it nearer,
// and so light beside the mass of the system that multipole does, too, as cells of planetesimals
// beside their star.
TEST(TreeOpening, every_criterion_keeps_a_multiple_of_the_reach)
{
    const struct {
        double theta, any;
    } cases[] = {{0.7, 1.35}, {1.25, 1.35}, {1.5, 1.125}, {1.8, 0.99}, {10, 0.99}};
    const G6CellExtent c{1e-3, 0, 0.9, 0.1, 1, 0};
    for (auto [theta, any] : cases)
        for (int mac :
             {G6_MAC_BH, G6_MAC_BMAX, G6_MAC_MULTIPOLE, G6_MAC_ACCELERATION, G6_MAC_COMBINED})
            for (int quadrupole : {0, 2}) {
                const bool bounds = mac == G6_MAC_MULTIPOLE || mac == G6_MAC_COMBINED;
                const double least = bounds ? std::min(any, 1.125) : any;
                const G6Criterion criterion{mac, quadrupole, theta, 1e6, 1};
                const G6Thresholds t = g6_thresholds(&c, &criterion);
                EXPECT_DOUBLE_EQ(g6_opening_radius(&c, &criterion), least) << mac;
                EXPECT_GE(t.radius2, least * least) << mac;
                EXPECT_GE(t.near2, least * least) << mac;
                EXPECT_LT(t.near2, 1.0002 * least * least) << mac;
            }
}

// The small cell is taken where bh at 0.8 theta takes it, though hardly any error is allowed.  The
// large cell is opened where bmax at 1.5 theta opens it, up to 0.9/0.45 = 2, though any error is
// allowed.
TEST(TreeOpening, combined_depends_on_theta_whatever_error_is_allowed)
{
    const G6CellExtent small{1e-3, 0, 0.9, 0.1, 1, 0}, large{1.2, 0, 0.9, 0.1, 1, 0};
    for (int quadrupole : {0, 2}) {
        const G6Criterion strict{G6_MAC_COMBINED, quadrupole, 0.7, 1e-30, 1};
        EXPECT_DOUBLE_EQ(g6_opening_radius(&small, &strict), 1.125);
        const G6Criterion loose{G6_MAC_COMBINED, quadrupole, 0.3, 1e6, 1};
        EXPECT_DOUBLE_EQ(g6_opening_radius(&large, &loose), 2);
    }
}

// The largest error of a cell that is taken by an old acceleration: two bodies on a line with the
// i-particle, one at the distance b from their centre of mass towards it, the other, of equal mass,
// at b behind it, with b = sqrt(3) l, the most that a cube allows.
// A theta above 1.25 leaves bounds of 3 times 143 and 140.
TEST(TreeOpening, a_cell_taken_by_an_old_acceleration_errs_by_45_alpha_at_most)
{
    const struct {
        Real theta, monopole, quadrupole;
    } cases[] = {{1, 45, 36}, {10, 429, 420}};
    for (auto [theta, most, most_quadrupole] : cases) {
        const G6Criterion criterion{G6_MAC_ACCELERATION, 0, double(theta), 1, 1};
        for (double share : {1e-6, 1e-3, 0.1, 0.4, 1.0}) {  // of the largest b/d
            const Real l = 1, b = std::sqrt(3.0L) * l, alpha = 1e-3L,
                       d = g6_least_distance(&criterion) * b / share;
            const Real a = l * l / (d * d * d * d) / alpha;  // M = 1: just taken
            const Real exact = 0.5L / ((d - b) * (d - b)) + 0.5L / ((d + b) * (d + b));
            EXPECT_LE(exact - 1 / (d * d), most * alpha * a);
            const Real quadrupole = 1 / (d * d) + 3 * b * b / (d * d * d * d);
            EXPECT_LE(exact - quadrupole, most_quadrupole * alpha * a);
        }
    }
}

TEST(TreeMean, stays_in_the_box_of_the_bodies)
{
    const double third = 1.0 / 3, sum = third + third + third;
    EXPECT_EQ(g6_mean_position(3 * third, 3, g6_each_size(3), third, third), third);
    EXPECT_EQ(g6_mean_position(sum * 1.0000001, 3, g6_each_size(3), 0, third), third);
    EXPECT_EQ(g6_mean_position(12, 4, g6_each_size(4), 0, 5), 3);
}

TEST(TreeMean, of_no_mass_is_the_middle_of_the_box)
{
    for (double size : {0.0, 1e-300}) {
        EXPECT_EQ(g6_each_size(size), 0);
        EXPECT_EQ(g6_mean_position(0, size, g6_each_size(size), 1, 2), 1.5);
    }
}

}  // namespace
}  // namespace g6
