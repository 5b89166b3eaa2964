// SPDX-License-Identifier: MIT
// Settings of a run from the command line, the defaults and a snapshot.
#include "tools/g6run/plan.h"
#include "g6run_systems.h"
#include "tools/g6run/schedule.h"

namespace {

using namespace g6run;
using g6runtest::error_of;

Settings plan_of(const Options &options, double time = 0)
{
    Snapshot snapshot;
    snapshot.time = time;
    return plan(options, snapshot);
}

std::string refusal(const Options &options)
{
    return error_of([&] { plan_of(options); });
}

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

TEST(Plan, StartsFromTheDefaults)
{
    const Settings s = plan_of(Options());
    EXPECT_EQ(s.t_end, 1);
    EXPECT_EQ(s.dt_max, 0.125);
    EXPECT_EQ(s.eps, 0);
    EXPECT_DOUBLE_EQ(s.eta_start, 0.025);  // sqrt(0.01)/4
}

TEST(Plan, HalvesTheLongestStepUntilEveryTimeIsAMultiple)
{
    Options o;
    o.t_end = 0.8125;  // 13/16
    EXPECT_EQ(plan_of(o).dt_max, 0.0625);
    o.table_every = 0.03125;
    EXPECT_EQ(plan_of(o).dt_max, 0.03125);
    o.snapshot_every = 3.0 / 128;
    EXPECT_EQ(plan_of(o).dt_max, 1.0 / 128);
    EXPECT_EQ(plan_of(o, 1.0 / 256).dt_max, 1.0 / 256);
}

TEST(Plan, NamesMultiplesNearATimeThatIsNone)
{
    Options o;
    o.table_every = 0.3;
    EXPECT_TRUE(contains(refusal(o), "--table 0.3")) << refusal(o);
    EXPECT_TRUE(contains(refusal(o), "try 0.25 or 0.375")) << refusal(o);
}

TEST(Plan, RefusesWhatCannotBe)
{
    const auto with = [](std::optional<double> Options::*member, double value) {
        Options o;
        o.*member = value;
        return refusal(o);
    };
    EXPECT_TRUE(contains(with(&Options::eta, -1), "--eta must be positive"));
    EXPECT_TRUE(contains(with(&Options::eta_start, 0), "--eta-start must be positive"));
    EXPECT_TRUE(contains(with(&Options::eps, -0.1), "--eps must not be negative"));
    EXPECT_TRUE(contains(with(&Options::dt_max, 0.1), "not 0.1 but 0.0625 or 0.125"));
    EXPECT_TRUE(contains(with(&Options::dt_min, 0.3), "--dt-min must be a power of two"));
    EXPECT_TRUE(contains(with(&Options::dt_min, 0.5), "--dt-min 0.5 is above --dt-max"));
    EXPECT_TRUE(contains(with(&Options::dt_min, 0x1p-60), "too short for --t-end"));
    EXPECT_TRUE(contains(with(&Options::t_end, -1), "nothing to do"));
    Snapshot ended;
    ended.time = Settings().t_end;
    EXPECT_TRUE(contains(error_of([&] { plan(Options(), ended); }), "nothing to do"));
    EXPECT_TRUE(contains(with(&Options::t_end, 1e30), "--t-end 1e+30 is too large for --dt-max"));
    EXPECT_TRUE(contains(with(&Options::table_every, 0), "--table must be positive"));
    EXPECT_TRUE(contains(with(&Options::snapshot_every, -1), "--snapshot must not be negative"));
}

TEST(Plan, TheLeapfrogHasNoBlocksToChoose)
{
    Options o;
    o.method = "treewalk";
    o.steps = "shared";
    EXPECT_TRUE(contains(refusal(o), "--steps goes with hermite")) << refusal(o);
    o.method = "hermite";
    EXPECT_TRUE(plan_of(o).shares_steps());
    EXPECT_FALSE(plan_of(Options()).shares_steps());
}

TEST(Plan, SharedStepsNeedAllParticlesAtOneTime)
{
    Snapshot snapshot;
    snapshot.time = 0.5;
    snapshot.state = RunState();
    snapshot.bodies.resize(2);
    snapshot.bodies[0].t = snapshot.bodies[1].t = 0.5;
    Options o;
    o.steps = "shared";
    EXPECT_TRUE(plan(o, snapshot).shares_steps());
    snapshot.bodies[1].t = 0.4375;
    EXPECT_TRUE(contains(error_of([&] { plan(o, snapshot); }), "at one time"));
    o.steps = "block";
    EXPECT_FALSE(plan(o, snapshot).shares_steps());
}

TEST(Plan, LongRunsGetAShortestStepThatADoubleCanCount)
{
    Options o;
    o.t_end = 1e6;
    const Settings s = plan_of(o);
    EXPECT_TRUE(is_power_of_two(s.dt_min));
    EXPECT_NE(1e6 + s.dt_min, 1e6);
}

TEST(Plan, ARestartTakesTheSnapshotsSettingsUnlessGivenOthers)
{
    Snapshot snapshot;
    snapshot.time = 0.5;
    snapshot.state = RunState();
    Settings &stored = snapshot.state->settings;
    stored.eta = 0.003;
    stored.eta_start = 0.002;
    stored.eps = 0.01;
    stored.t_end = 4;
    stored.precision = "double";
    stored.steps = "shared";
    Options o;
    EXPECT_EQ(plan(o, snapshot).eta, 0.003);
    EXPECT_EQ(plan(o, snapshot).eta_start, 0.002);
    EXPECT_EQ(plan(o, snapshot).t_end, 4);
    EXPECT_EQ(plan(o, snapshot).precision, "double");
    EXPECT_EQ(plan(o, snapshot).steps, "shared");
    o.t_end = 8;
    o.precision = "mixed";
    EXPECT_EQ(plan(o, snapshot).t_end, 8);
    EXPECT_EQ(plan(o, snapshot).eps, 0.01);
    EXPECT_EQ(plan(o, snapshot).precision, "mixed");
    for (double end : {0.5, snapshot.time}) {
        o.t_end = end;
        EXPECT_TRUE(contains(error_of([&] { plan(o, snapshot); }), "nothing to do"));
    }
    o.t_end = 8;
    o.eps = 0.02;
    EXPECT_TRUE(contains(error_of([&] { plan(o, snapshot); }), "the restart has --eps 0.01"));
}

// Block steps leave each particle at a time of its own, and the leapfrog begins with all at one.
TEST(Plan, ALeapfrogDoesNotGoOnFromParticlesAtSeveralTimes)
{
    Snapshot snapshot;
    snapshot.time = 0.375;
    snapshot.state = RunState();
    snapshot.bodies.resize(2);
    for (Body &b : snapshot.bodies) b.t = 0.375;
    Options o;
    o.method = "treewalk";
    EXPECT_EQ(plan(o, snapshot).method, "treewalk");
    snapshot.bodies[1].t = 0.25;
    EXPECT_TRUE(contains(error_of([&] { plan(o, snapshot); }),
                         "--method treewalk goes on where all particles are at one time"));
    o.method = "hermite";
    EXPECT_EQ(plan(o, snapshot).method, "hermite");
}

// A leapfrog has no jerks, and its time may be no multiple of the Hermite scheme's longest step.
TEST(Plan, AnotherMethodComputesStepsAnew)
{
    Snapshot snapshot;
    snapshot.time = 1.0 / 64;
    snapshot.state = RunState();
    Settings &stored = snapshot.state->settings;
    stored.method = "treecode";
    stored.dt = 1.0 / 64;
    Options o;
    EXPECT_TRUE(goes_on(snapshot, plan(o, snapshot)));
    o.method = "treewalk";
    EXPECT_TRUE(goes_on(snapshot, plan(o, snapshot)));
    o.method = "hermite";
    EXPECT_FALSE(goes_on(snapshot, plan(o, snapshot)));
    EXPECT_EQ(plan(o, snapshot).dt_max, 1.0 / 64);
}

// A text file has no energy that another softening would belie.
TEST(Plan, ARestartOfATextFileTakesItsSettings)
{
    Snapshot snapshot;
    snapshot.settings = Settings();
    snapshot.settings->eps = 0.25;
    snapshot.settings->eta_start = 0.002;
    snapshot.settings->table_every = 0.0625;
    Options o;
    EXPECT_EQ(plan(o, snapshot).eps, 0.25);
    EXPECT_EQ(plan(o, snapshot).eta_start, 0.002);
    EXPECT_EQ(plan(o, snapshot).table_every, 0.0625);
    o.eps = 0.5;
    EXPECT_EQ(plan(o, snapshot).eps, 0.5);
}

// As from a damaged snapshot, or one of a later version: it would be run by another method.
TEST(Plan, RefusesAMethodThatItDoesNotKnow)
{
    const auto refusal_of = [](const std::string &method, const std::string &steps) {
        Snapshot snapshot;
        snapshot.settings = Settings();
        snapshot.settings->method = method;
        snapshot.settings->steps = steps;
        return error_of([&] { plan(Options(), snapshot); });
    };
    EXPECT_EQ(refusal_of("hermite", "shared"), "");
    EXPECT_EQ(refusal_of("treecode", "block"), "");
    EXPECT_TRUE(contains(refusal_of("hermite6", "block"), "the restart has the method 'hermite6'"));
    EXPECT_TRUE(contains(refusal_of("hermite", "share"), "the restart has the steps 'share'"));
}

}  // namespace
