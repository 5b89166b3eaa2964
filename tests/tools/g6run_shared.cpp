// SPDX-License-Identifier: MIT
// Shared steps: the block scheme's own rules, with the shortest step for all.
#include "g6run_systems.h"
#include "tools/g6run/integrator.h"

#include <algorithm>

namespace {

using namespace g6run;
using namespace g6runtest;

Settings settings(const char *steps)
{
    Settings s;
    s.eps = 1.0 / 64;
    s.eta = 0.02;
    s.eta_start = std::sqrt(s.eta) / 4;
    s.steps = steps;
    return s;
}

std::vector<Body> sphere(std::size_t n)
{
    return plummer_snapshot(n, 3).bodies;
}

double least_step(const std::vector<Body> &bodies)
{
    double least = HUGE_VAL;
    for (const Body &b : bodies) least = std::min(least, b.dt);
    return least;
}

void expect_all_alike(const Integrator &run)
{
    for (const Body &b : run.bodies()) {
        ASSERT_EQ(b.t, run.time());
        ASSERT_EQ(b.dt, run.bodies()[0].dt);
    }
}

// The steps that the particles want follow from their ends by the formulas of hermite.h.  Of the
// shortest the power of two below is taken, or twice the last step where that is less and time a
// multiple of it.
TEST(SharedSteps, AreTheShortestThatAnyParticleWants)
{
    const Settings s = settings("shared");
    for (const char *mode : {"hermite", "treewalk"}) {
        Gravity gravity("cpu", "double", mode, s.eps, "0.5");
        Integrator run(gravity, sphere(200), s, 0, false);
        const Criterion criterion{s.eta, gravity.noise(), gravity.is_tree(), 1};
        int longer = 0, shorter = 0;
        while (run.time() < 0.5) {
            std::vector<Body> before = run.bodies();
            const double dt = before[0].dt;
            ASSERT_EQ(run.step(), 200);
            const std::vector<double> pot = run.potentials();  // the corrector moved it a little
            double wanted = s.dt_max;
            for (std::size_t k = 0; k < before.size(); k++)
                wanted = std::min(wanted, correct(before[k], run.time(), run.bodies()[k].a,
                                                  run.bodies()[k].j, pot[k], criterion));
            const double doubled = is_multiple_of(run.time(), 2 * dt) ? 2 * dt : dt;
            ASSERT_EQ(run.bodies()[0].dt, std::min(doubled, power_of_two_below(wanted)));
            expect_all_alike(run);
            longer += run.bodies()[0].dt > dt;
            shorter += run.bodies()[0].dt < dt;
        }
        EXPECT_GT(longer, 0) << mode;
        EXPECT_GT(shorter, 0) << mode;
    }
}

TEST(SharedSteps, FollowBlockStepsWhereAllAreAtOneTime)
{
    Gravity gravity("cpu", "double", "hermite", 1.0 / 64);
    Integrator block(gravity, sphere(100), settings("block"), 0, false);
    while (block.time() < 0.125) block.step();
    Integrator shared(gravity, block.bodies(), settings("shared"), 0.125, true);
    expect_all_alike(shared);
    EXPECT_EQ(shared.bodies()[0].dt, least_step(block.bodies()));
    while (shared.time() < 0.25) EXPECT_EQ(shared.step(), 100);
    // The other way any time will do.
    Integrator again(gravity, shared.bodies(), settings("block"), shared.time(), true);
    while (again.time() < 0.5) again.step();
    EXPECT_LT(least_step(again.bodies()), 0.125);
}

}  // namespace
