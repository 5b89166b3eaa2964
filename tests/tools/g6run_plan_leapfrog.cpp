// SPDX-License-Identifier: MIT
// Equal and block steps of a leapfrog: what the command line and a snapshot ask for.
#include "g6run_systems.h"

#include "tools/g6run/plan.h"

namespace {

using namespace g6run;
using g6runtest::contains;
using g6runtest::error_of;

Settings plan_of(const Options &options)
{
    return plan(options, Snapshot());
}

std::string refusal(const Options &options)
{
    return error_of([&] { plan_of(options); });
}

TEST(Plan, LeapfrogsHaveEqualStepsUnlessBlocksAreAskedFor)
{
    Options o;
    EXPECT_FALSE(plan_of(o).uses_dt());
    EXPECT_FALSE(plan_of(o).shares_steps());
    o.steps = "shared";
    EXPECT_TRUE(plan_of(o).shares_steps());
    EXPECT_FALSE(plan_of(o).uses_dt());
    o.method = "treewalk";
    for (const char *steps : {"", "shared"}) {
        o.steps = steps;
        EXPECT_TRUE(plan_of(o).uses_dt());
    }
    o.steps = "block";
    EXPECT_TRUE(contains(refusal(o), "need an --eps above 0")) << refusal(o);
    o.eps = 0.01;
    EXPECT_FALSE(plan_of(o).uses_dt());
    EXPECT_FALSE(plan_of(o).shares_steps());
    o.method = "treecode";
    EXPECT_TRUE(contains(refusal(o), "goes with hermite and treewalk")) << refusal(o);
}

// A snapshot of a leapfrog with equal steps, at one time.
Snapshot leapt()
{
    Snapshot snapshot;
    snapshot.time = 0.5;
    snapshot.state = RunState();
    Settings &s = snapshot.state->settings;
    s.method = "treewalk";
    s.steps = "shared";
    s.eps = 0.01;
    snapshot.bodies.resize(2);
    for (Body &b : snapshot.bodies) {
        b.t = 0.5;
        b.dt = s.dt;
    }
    return snapshot;
}

TEST(Plan, BlockStepsOfALeapfrogFollowEqualOnesAnew)
{
    Snapshot snapshot = leapt();
    Options o;
    EXPECT_TRUE(goes_on(snapshot, plan(o, snapshot)));
    o.steps = "block";
    EXPECT_FALSE(goes_on(snapshot, plan(o, snapshot)));
    snapshot.state->settings.steps = "block";
    EXPECT_TRUE(goes_on(snapshot, plan(o, snapshot)));
    EXPECT_TRUE(goes_on(snapshot, plan(Options(), snapshot)));
}

// In block steps bodies may be at several times, where no other scheme can begin.
TEST(Plan, OnlyBlockStepsGoOnFromBetweenThem)
{
    Snapshot snapshot = leapt();
    snapshot.state->settings.steps = "block";
    snapshot.bodies[1].t -= snapshot.bodies[1].dt / 2;
    Options o;
    EXPECT_TRUE(goes_on(snapshot, plan(o, snapshot)));
    o.steps = "shared";
    EXPECT_TRUE(contains(error_of([&] { plan(o, snapshot); }), "--steps shared goes on where all"));
    for (const char *steps : {"", "block"}) {
        o.steps = steps;
        o.method = "hermite";
        const std::string error = error_of([&] { plan(o, snapshot); });
        EXPECT_TRUE(contains(error, "--method hermite goes on where all")) << error;
    }
}

// --eta means something else in the other scheme.
TEST(Plan, EachSchemeHasItsOwnAccuracyParameter)
{
    Snapshot snapshot = leapt();
    snapshot.state->settings.eta = 0.125;
    Options o;
    EXPECT_EQ(plan(o, snapshot).eta, 0.125);
    o.method = "hermite";
    EXPECT_EQ(plan(o, snapshot).eta, Settings().eta);
    EXPECT_EQ(plan(o, snapshot).steps, "block");
    o.eta = 0.02;
    EXPECT_EQ(plan(o, snapshot).eta, 0.02);
}

}  // namespace
