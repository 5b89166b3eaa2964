// SPDX-License-Identifier: MIT
// Diagnostics on systems small enough to work out by hand, and on a Plummer sphere.
#include "g6run_systems.h"
#include "tools/common/plummer.h"
#include "tools/g6run/density_centre.h"
#include "tools/g6run/diagnostics.h"
#include "tools/g6run/schedule.h"

namespace {

using namespace g6run;
using namespace g6runtest;

// Ten unit masses at x = 0, 1, ... 9 and ten mirrored, all shifted by 5: both centres are at 5.
// Radii ascend in pairs: 10 % of 20 is the pair at 0, 50 % the fifth pair, 90 % the ninth.
TEST(Figures, LagrangianRadiiHoldTheirFractions)
{
    std::vector<Body> bodies;
    for (int k = 0; k < 10; k++) {
        bodies.push_back(body(1, {5.0 + k, 0, 0}, {0, 0, 0}));
        bodies.push_back(body(1, {5.0 - k, 0, 0}, {0, 0, 0}));
    }
    const auto radii = lagrangian_radii(bodies);
    EXPECT_NEAR(radii[0], 0, 1e-14);
    EXPECT_NEAR(radii[1], 4, 1e-14);
    EXPECT_NEAR(radii[2], 8, 1e-14);
}

// The definition, by a search through all bodies: the density is the mass of the five nearest
// others over the cube of the distance of the sixth.
Place plain_density_centre(const std::vector<Body> &bodies)
{
    Place sum{};
    double weights = 0;
    for (const Body &b : bodies) {
        std::vector<std::pair<double, double>> others;
        for (const Body &other : bodies)
            if (&other != &b)
                others.emplace_back(
                    std::hypot(other.x[0] - b.x[0], other.x[1] - b.x[1], other.x[2] - b.x[2]),
                    other.mass);
        std::partial_sort(others.begin(), others.begin() + 6, others.end());
        double mass = 0;
        for (int k = 0; k < 5; k++) mass += others[k].second;
        const double density = mass / std::pow(others[5].first, 3);
        weights += density;
        for (int d = 0; d < 3; d++) sum[d] += density * b.x[d];
    }
    for (double &x : sum) x /= weights;
    return sum;
}

void expect_near(const Place &a, const Place &b, double tolerance)
{
    for (int d = 0; d < 3; d++) EXPECT_NEAR(a[d], b[d], tolerance) << d;
}

TEST(DensityCentre, IsThatOfItsDefinition)
{
    for (std::size_t n : {7, 8, 9, 30, 1000}) {
        std::vector<Body> bodies = plummer_snapshot(n, n).bodies;
        for (std::size_t k = 0; k < n; k++) bodies[k].mass *= 1 + double(k % 5);
        expect_near(density_centre(bodies), plain_density_centre(bodies), 1e-13);
    }
}

// One of 1000 stars at R = 3000 moves the centre of mass by 3, which is ten times the radius of the
// inner tenth.  The radii of the others scatter by a body or two.
TEST(DensityCentre, DoesNotFollowABodyThatIsThrownOut)
{
    std::vector<Body> bodies = plummer_snapshot(1000, 1).bodies;
    const auto expected = lagrangian_radii(bodies);
    for (double distance : {30.0, 3000.0, 1e9}) {
        bodies[500].x[0] = distance;
        const auto radii = lagrangian_radii(bodies);
        for (std::size_t k : {0, 1}) EXPECT_NEAR(radii[k], expected[k], 0.02 * expected[k]);
    }
}

TEST(DensityCentre, IsThatOfMassWhereDensitySaysNothing)
{
    const std::vector<Body> few = plummer_snapshot(6, 1).bodies;
    expect_near(density_centre(few), mass_centre(few), 0);
    // A star of half the mass with planets, and test particles.
    std::vector<Body> planets = plummer_snapshot(20, 1).bodies;
    planets.push_back(body(1, {100, 0, 0}, {}));
    for (int k = 0; k < 50; k++) planets.push_back(body(0, {5.0 + k * 1e-3, 1, 1}, {}));
    expect_near(density_centre(planets), mass_centre(planets), 0);
    // Bodies without mass crowd in one place, beside a cluster.
    std::vector<Body> crowd = plummer_snapshot(100, 1).bodies;
    const Place centre = density_centre(crowd);
    for (int k = 0; k < 50; k++) crowd.push_back(body(0, {5.0 + k * 1e-3, 1, 1}, {}));
    expect_near(density_centre(crowd), centre, 0);
    const std::vector<Body> one_place(9, body(1, {3, 2, 1}, {}));
    expect_near(density_centre(one_place), {3, 2, 1}, 0);
}

// The mean distance of 1000 bodies in a sphere of radius 1 is (4 pi / 3000)^(1/3) = 0.161.
TEST(Figures, SofteningOfTwoClustersIsThatOfEach)
{
    std::vector<Body> bodies = model_snapshot("sphere", 1000, 1).bodies;
    for (const Body &b : std::vector<Body>(bodies))
        bodies.push_back(body(b.mass, {b.x[0] + 50, b.x[1], b.x[2]}, {}));
    EXPECT_EQ(usual_softening(bodies), 0.0625);
}

// 10 of 100 bodies lie within the radius of 10 %, if they have one mass.
TEST(Figures, SofteningIsNotThatOfABinaryOrAHeavyStar)
{
    const double tenth = std::cbrt(4 * 3.14159265358979 / 3 / 10);
    for (std::uint64_t seed = 1; seed <= 30; seed++) {
        const auto bodies = model_snapshot("plummer:imf=kroupa,binaries=0.3", 100, seed).bodies;
        EXPECT_EQ(usual_softening(bodies),
                  power_of_two_below(tenth * lagrangian_radii(bodies)[0] / 2));
    }
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
    EXPECT_EQ(energy_error(-0.125, -0.25, 0.375), 0.5);
    // On a parabola, T = -W = 100 with an energy of rounding errors.
    EXPECT_EQ(energy_error(-0.5, 1e-17, 100), -0.5);
    EXPECT_EQ(energy_error(0, 0, 0), 0);
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

}  // namespace
