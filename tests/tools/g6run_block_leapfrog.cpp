// SPDX-License-Identifier: MIT
// The leapfrog with block steps: its exact orbits and its order.
#include "g6run_systems.h"

#include "tools/g6run/block_leapfrog.h"
#include "tools/g6run/integrator.h"

namespace g6runtest {
namespace {

using namespace g6run;

// Steps that are all `dt`, whatever the criterion wants.
Settings equal_steps(double dt, double eps)
{
    Settings s;
    s.method = "treewalk";
    s.eps = eps;
    s.dt_max = s.dt_min = dt;
    return s;
}

Settings block_steps(double eta, double eps)
{
    Settings s;
    s.method = "treewalk";
    s.eps = eps;
    s.eta = eta;
    return s;
}

// Largest distance between the same bodies of two systems.
double distance(const std::vector<Body> &a, const std::vector<Body> &b)
{
    double most = 0;
    for (std::size_t k = 0; k < a.size(); k++)
        most = std::max(
            most, std::hypot(a[k].x[0] - b[k].x[0], a[k].x[1] - b[k].x[1], a[k].x[2] - b[k].x[2]));
    return most;
}

TEST(BlockLeapfrog, StepsAreEtaTimesTheTimeOfAFallThroughTheSoftening)
{
    const double a[3] = {0, 3.0 / 20, 4.0 / 20}, none[3] = {0, 0, 0};  // |a| = 1/4
    EXPECT_DOUBLE_EQ(leap_step(a, 1.0 / 64, 0.5), 0.5 * 0.25);
    EXPECT_EQ(leap_step(none, 1.0 / 64, 0.5), HUGE_VAL);
}

// Bodies on a circle about each other, a = -w^2 x, obey x_{n+1} - 2 x_n + x_{n-1} = -(w h)^2 x_n.
// So they stay on the circle and turn by the angle p a step:
//     cos p = 1 - (w h)^2 / 2,   v_0 = r sin(p) / h
// p exceeds w h by (w h)^3/24 + ...: the phase is of second order.
TEST(BlockLeapfrog, TurnsAPairByTheAngleOfItsDifferenceEquation)
{
    constexpr double kR = 0.5, kEps = 0.75;
    const double w = std::sqrt(1 / std::pow(1 + kEps * kEps, 1.5));  // masses 1/2 at distance 1
    for (int steps : {64, 128}) {
        const double h = 1.0 / 16 / steps * 64, p = std::acos(1 - w * h * w * h / 2);
        const double v = kR * std::sin(p) / h;
        Gravity gravity("cpu", "double", "treewalk", kEps, "0", false);
        BlockLeapfrog run(gravity,
                          {body(0.5, {kR, 0, 0}, {0, v, 0}), body(0.5, {-kR, 0, 0}, {0, -v, 0})},
                          equal_steps(h, kEps), 0, false);
        for (int k = 0; k < steps; k++) EXPECT_EQ(run.step(), 2);
        EXPECT_EQ(run.time(), steps * h);
        const Body &b = run.bodies()[0];
        EXPECT_NEAR(b.x[0], kR * std::cos(steps * p), 1e-12);
        EXPECT_NEAR(b.x[1], kR * std::sin(steps * p), 1e-12);
        EXPECT_NEAR(b.v[1], v * std::cos(steps * p), 1e-12);
    }
}

// The distance from orbits of the Hermite scheme, whose own error is some 1e-9 here.
double error_of_block_steps(double eta, const std::vector<Body> &expected)
{
    constexpr double kEps = 0.125;
    Gravity gravity("cpu", "double", "treewalk", kEps, "0", false);
    BlockLeapfrog run(gravity, model_snapshot("hernquist", 64, 5).bodies, block_steps(eta, kEps), 0,
                      false);
    int least = 64;
    while (run.time() < 0.5) least = std::min(least, run.step());
    EXPECT_LT(least, 32);
    return distance(run.bodies(), expected);
}

// Half of eta halves all steps but those that the powers of two or dt_max hold.  Errors of second
// order fall to a quarter, those of the first or third order to 1/2 or 1/8.
TEST(BlockLeapfrog, BlockStepsAreOfSecondOrder)
{
    Settings fine;
    fine.eps = 0.125;
    fine.eta = 1e-4;
    fine.eta_start = 1e-3;
    Gravity gravity("cpu", "double", "hermite", fine.eps);
    Integrator exact(gravity, model_snapshot("hernquist", 64, 5).bodies, fine, 0, false);
    while (exact.time() < 0.5) exact.step();
    const double coarse = error_of_block_steps(1.0 / 16, exact.bodies()),
                 middle = error_of_block_steps(1.0 / 32, exact.bodies()),
                 end = error_of_block_steps(1.0 / 64, exact.bodies());
    EXPECT_NEAR(coarse / middle, 4, 0.8);
    EXPECT_NEAR(middle / end, 4, 0.8);
}

}  // namespace
}  // namespace g6runtest
