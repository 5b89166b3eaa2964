// SPDX-License-Identifier: MIT
// The integrator with the library's own forces: a fall, energies, refusals.
#include "tools/g6run/integrator.h"
#include "g6run_systems.h"
#include "tools/g6run/diagnostics.h"

namespace {

using namespace g6run;
using namespace g6runtest;

// A body falls from rest at distance 1 to a unit mass that stays where it is:
//   r = (1 + cos E)/2,  t = (E + sin E)/sqrt(8)
// The bodies meet at t = pi/sqrt(8) = 1.11.  Without softening the exact orbit turns back there,
// and steps of any length throw the body away.
double falling_distance(double t)
{
    double low = 0, high = std::acos(-1.0);
    while (high - low > 1e-15) {
        const double anomaly = (low + high) / 2;
        (anomaly + std::sin(anomaly) < std::sqrt(8) * t ? low : high) = anomaly;
    }
    return (1 + std::cos(low)) / 2;
}

TEST(ShortestStep, EndsTheRunWhereABodyFallsThroughAnother)
{
    for (const char *mode : {"hermite", "treewalk"})
        for (const char *steps : {"block", "shared"}) {
            SCOPED_TRACE(std::string(mode) + ' ' + steps);
            Gravity gravity("cpu", "double", mode, 0);
            Settings s;
            s.eta = 1e-3;
            s.steps = steps;
            Integrator run(gravity, {body(1, {0, 0, 0}, {0, 0, 0}), body(0, {1, 0, 0}, {0, 0, 0})},
                           s, 0, false);
            while (run.time() < 1) run.step();
            EXPECT_NEAR(run.bodies()[1].x[0], falling_distance(1), 1e-5);
            int status = kExitOk;
            const std::string text = error_of(
                [&] {
                    while (run.time() < 2) run.step();
                },
                &status);
            EXPECT_EQ(status, kExitWrongPhysics) << "the body is at " << run.bodies()[1].x[0];
            EXPECT_EQ(text.find("particle 2: its step of "), 0) << text;
            expect_in("--eps", text);
            EXPECT_NEAR(run.bodies()[1].t, std::acos(-1.0) / std::sqrt(8), 1e-6);
        }
}

double energy(Integrator &run)
{
    return figures(run.bodies(), run.potentials()).energy();
}

// The relative error of the energy at `end`.
double energy_error(const std::vector<Body> &bodies, const Settings &s, double end)
{
    Gravity gravity("cpu", "double", "hermite", s.eps);
    Integrator run(gravity, bodies, s, 0, false);
    const double start = energy(run);
    while (run.time() < end) run.step();
    return std::fabs(energy(run) / start - 1);
}

// A fourth-order scheme: halving the step divides the error by 16.  The next order contributes a
// part of order h times a few, here within a fifth.  Two half masses at unit semi-major axis, with
// eccentricity 1/2, go from pericentre to apocentre in the time pi.
TEST(Integrator, EnergyErrorOfAKeplerOrbitFallsWithTheFourthPower)
{
    const double v = std::sqrt(3) / 2;
    double error[3];
    for (int k : {0, 1, 2}) {
        Settings s;
        s.dt_max = s.dt_min = std::ldexp(0x1p-7, -k);
        error[k] = energy_error(
            {body(0.5, {-0.25, 0, 0}, {0, -v, 0}), body(0.5, {0.25, 0, 0}, {0, v, 0})}, s, 3);
    }
    EXPECT_NEAR(error[0] / error[1], 16, 0.2 * 16);
    EXPECT_NEAR(error[1] / error[2], 16, 0.2 * 16);
}

Settings sphere_settings()
{
    Settings s;
    s.eps = 1.0 / 64;
    s.eta = 0.005;
    s.eta_start = 0.003;
    return s;
}

// Steps follow the criterion, so the error falls at least as eta^(3/2): four times fewer, eight
// times better (eta^2, less the chance of single encounters).
TEST(Integrator, EnergyErrorFallsWithEta)
{
    double error[2];
    for (int k : {0, 1}) {
        Settings s = sphere_settings();
        s.eta = k ? 0.01 : 0.04;
        error[k] = energy_error(plummer_snapshot(256, 3).bodies, s, 0.5);
    }
    EXPECT_LT(error[1], error[0] / 8);
    EXPECT_LT(error[1], 1e-6);
}

// Energies and snapshots must not disturb the run that they look at.
TEST(Integrator, PotentialsLeaveTheRunAsItIs)
{
    const Settings s = sphere_settings();
    std::vector<Body> bodies[2];
    for (int look : {0, 1}) {
        Gravity gravity("cpu", "mixed", "hermite", s.eps);
        Integrator run(gravity, plummer_snapshot(100, 2).bodies, s, 0, false);
        while (run.time() < 0.375) {
            run.step();
            if (look && is_multiple_of(run.time(), s.dt_max)) run.potentials();
        }
        bodies[look] = run.bodies();
    }
    expect_same_bits(bodies[0], bodies[1]);
}

// A step of the grid that is over at the snapshot's time, or has not begun.
TEST(Integrator, RefusesStepsThatDoNotHoldTheTimeOfTheSnapshot)
{
    const Settings s = sphere_settings();
    Gravity gravity("cpu", "double", "hermite", s.eps);
    std::vector<Body> bodies = plummer_snapshot(2, 1).bodies;
    const auto refusal = [&](double t, double dt) {
        bodies[0].t = 0.25;
        bodies[1].t = t;
        bodies[0].dt = bodies[1].dt = dt;
        return error_of([&] { Integrator(gravity, bodies, s, 0.25, true); });
    };
    EXPECT_EQ(refusal(0.25, 0.125), "");
    for (double t : {0.125, 0.375, 0.0})  // the first one ends at 0.25
        expect_in("does not fit", refusal(t, 0.125));
    expect_in("step 0.5 from t = 0 is above 0.125, the longest step", refusal(0, 0.5));
}

// Two bodies of 1e300 at a distance of 1e-6.
TEST(Gravity, RefusesForcesThatAreNotFinite)
{
    Gravity gravity("cpu", "double", "hermite", 0);
    const std::vector<Body> bodies = {body(1e300, {0, 0, 0}, {0, 0, 0}),
                                      body(1e300, {1e-6, 0, 0}, {0, 0, 0})};
    gravity.send({0, 1}, bodies);
    Block block;
    block.resize(2);
    for (int k : {0, 1}) {
        block.index[k] = k;
        block.x[k] = {bodies[k].x[0], 0, 0};
        block.v[k] = {0, 0, 0};
    }
    const std::string text = error_of([&] { gravity.compute(0, 2, block); });
    EXPECT_NE(text.find("exceeds the range of a double"), std::string::npos) << text;
}

// One mass m at the origin pulls each of many bodies with m / r^2 towards itself, whether the block
// is summed as a whole or in parts.
TEST(Gravity, TellsThePartsOfALargeBlockAndSumsEachBodyOnce)
{
    constexpr int kBodies = 40000;
    Gravity gravity("cpu", "double", "hermite", 0);
    gravity.send({0}, {body(3, {0, 0, 0}, {0, 0, 0})});
    std::vector<double> told;
    gravity.tell([&](double done, double) { told.push_back(done); });
    Block block;
    block.resize(kBodies);
    for (int k = 0; k < kBodies; k++) {
        block.index[k] = k + 1;
        block.x[k] = {1 + 1e-3 * k, 0, 0};
    }
    gravity.compute(0, 1, block);
    for (int k = 0; k < kBodies; k++) {
        const double r = block.x[k][0];
        ASSERT_NEAR(block.acc[k][0] * r * r, -3, 1e-12) << k;
        ASSERT_NEAR(block.pot[k] * r, -3, 1e-12) << k;
    }
    ASSERT_EQ(told.size(), 3u);  // 16384 bodies at a time
    EXPECT_EQ(told[0], 16384.0 / kBodies);
    EXPECT_EQ(told[2], 1);
    gravity.tell(nullptr);
    gravity.compute(0, 1, block);
    EXPECT_EQ(told.size(), 3u);
}

}  // namespace
