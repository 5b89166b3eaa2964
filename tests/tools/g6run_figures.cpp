// SPDX-License-Identifier: MIT
// Diagnostics on systems small enough to work out by hand, and on a Plummer sphere.
#include "g6run_systems.h"
#include "tools/common/plummer.h"
#include "tools/g6run/diagnostics.h"
#include "tools/g6run/integrator.h"

namespace {

using namespace g6run;
using g6runtest::body;

// Ten unit masses at x = 0, 1, ... 9 and ten mirrored, all shifted by 5: centre of mass at 5.
// Radii ascend in pairs: 10 % of 20 is the pair at 0, 50 % the fifth pair, 90 % the ninth.
TEST(Figures, LagrangianRadiiHoldTheirFractions)
{
    std::vector<Body> bodies;
    for (int k = 0; k < 10; k++) {
        bodies.push_back(body(1, {5.0 + k, 0, 0}, {0, 0, 0}));
        bodies.push_back(body(1, {5.0 - k, 0, 0}, {0, 0, 0}));
    }
    const auto radii = lagrangian_radii(bodies);
    EXPECT_EQ(radii[0], 0);
    EXPECT_EQ(radii[1], 4);
    EXPECT_EQ(radii[2], 8);
}

TEST(Figures, RadiiCountMassNotBodies)
{
    const auto radii =
        lagrangian_radii({body(8, {0, 0, 0}, {0, 0, 0}), body(1, {0, 3, 0}, {0, 0, 0}),
                          body(1, {0, -3, 0}, {0, 0, 0})});
    EXPECT_EQ(radii[0], 0);
    EXPECT_EQ(radii[1], 0);
    EXPECT_EQ(radii[2], 3);
}

// T = 2 (1^2 + 2^2 + 2^2) / 2 = 9; W = 2 (-3) / 2 = -3.
TEST(Figures, EnergiesOfOneBody)
{
    const Figures f = figures({body(2, {0, 0, 0}, {1, 2, 2})}, {-3});
    EXPECT_EQ(f.kinetic, 9);
    EXPECT_EQ(f.potential, -3);
    EXPECT_EQ(f.energy(), 6);
    EXPECT_EQ(f.virial_ratio(), 3);
}

TEST(Figures, EnergyErrorIsRelative)
{
    EXPECT_EQ(energy_error(-0.125, -0.25), 0.5);
    EXPECT_EQ(energy_error(0.5, 0), 0.5);
}

TEST(Figures, BodiesInOnePlaceAreFoundUnlessNoneHasMass)
{
    std::vector<Body> bodies = {body(1, {0, 0, 0}, {}),  body(0, {1, 2, 3}, {}),
                                body(0, {1, 2, 3}, {}),  body(1, {1, 2, 4}, {}),
                                body(1, {0, -1, 0}, {}), body(0, {0, 2, 3}, {})};
    EXPECT_FALSE(coincident(bodies));
    bodies.push_back(body(0.5, {1, 2, 3}, {}));
    ASSERT_TRUE(coincident(bodies));
    EXPECT_EQ(coincident(bodies)->second, 6u);
    bodies = {body(1, {0.0, 0, 0}, {}), body(1, {1, 0, 0}, {}), body(1, {-0.0, 0, 0}, {})};
    EXPECT_EQ(coincident(bodies), std::make_pair(std::size_t{0}, std::size_t{2}));
}

// Mass fraction m lies inside r = b / sqrt(m^(-2/3) - 1), with m counted in the mass inside the
// cut.  The quantile m of N draws scatters by sqrt(m (1-m) / N) over the density dm/dr.
TEST(PlummerSphere, HasTheLagrangianRadiiOfTheModel)
{
    constexpr std::size_t kBodies = 20000;
    const double b = g6tools::kPlummerScale, cut = g6tools::kPlummerRadius / b;
    const double whole = std::pow(1 + 1 / (cut * cut), -1.5);
    const auto radii = lagrangian_radii(plummer_snapshot(kBodies, 1).bodies);
    for (std::size_t k = 0; k < radii.size(); k++) {
        const double f = kLagrangianFractions[k];
        const double r = 1 / std::sqrt(std::pow(f * whole, -2.0 / 3) - 1);
        const double density = 3 * r * r * std::pow(1 + r * r, -2.5) / whole;
        const double scatter = std::sqrt(f * (1 - f) / kBodies) / density;
        EXPECT_NEAR(radii[k], b * r, 4 * b * scatter) << f;
    }
    // The half-mass radius in other words: 1.3048 scale lengths, 0.7686.
    EXPECT_NEAR(radii[1], 1.3048 * b, 0.02);
}

// T = 1/4 and W = -1/2.  T scatters by 1.3 / (2 sqrt(N)) at most (v^2 has a variance below 1.7);
// each phi lies in [-1.7, 0], so W, in which every pair counts twice, by 0.85 / sqrt(N).
TEST(PlummerSphere, IsInVirialEquilibriumByItsOwnForces)
{
    constexpr std::size_t kBodies = 2048;
    Gravity gravity("cpu", "double", "hermite", 0);
    Integrator run(gravity, plummer_snapshot(kBodies, 7).bodies, Settings(), 0, false);
    const Figures f = figures(run.bodies(), run.potentials());
    const double root = std::sqrt(double(kBodies));
    EXPECT_NEAR(f.kinetic, 0.25, 4 * 0.65 / root);
    EXPECT_NEAR(f.potential, -0.5, 4 * 0.85 / root);
    EXPECT_NEAR(f.virial_ratio(), 0.5, 4 * (2 * 0.65 + 0.85) / root);
}

}  // namespace
