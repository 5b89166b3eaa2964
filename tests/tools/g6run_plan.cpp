// SPDX-License-Identifier: MIT
// Settings of a run from the command line, the defaults and a snapshot.
#include "tools/g6run/plan.h"
#include "g6run_systems.h"
#include "tools/common/command_line.h"
#include "tools/g6run/hints.h"
#include "tools/g6run/schedule.h"

namespace {

using namespace g6run;
using namespace g6runtest;

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

// Times that are no multiples of any power of two share one step, the longest that there is.
TEST(Plan, AnyTimesShareAStep)
{
    const struct {
        double t_end, table, snapshot, dt_max;
    } cases[] = {{1, 0.1, 0, 0.1},
                 {0.3, 0.1, 0, 0.1},
                 {0.25, 0.1, 0, 0.05},
                 {0.5, 0.1, 0.3, 0.1},
                 {3, 0.3, 0, 0.3 / 4},  // at most 1/8
                 {67.07, 6.707, 0, 6.707 / 64},
                 {7e-12, 1e-12, 0, 1e-12},
                 {1, 1.0 / 3, 0, 1.0 / 12}};
    for (const auto &c : cases) {
        Options o;
        o.t_end = c.t_end;
        o.table_every = c.table;
        o.snapshot_every = c.snapshot;
        const Settings s = plan_of(o);
        EXPECT_NEAR(s.dt_max / c.dt_max, 1, 1e-14) << c.t_end;
        EXPECT_NEAR(s.t_end / c.t_end, 1, 1e-14);
        for (double time : {s.t_end, s.table_every, s.snapshot_every})
            EXPECT_TRUE(is_multiple_of(time, s.dt_max)) << time;
        int exponent;
        EXPECT_EQ(std::frexp(s.dt_max / s.dt_min, &exponent), 0.5);
    }
}

TEST(Plan, StepsAreRoundedToPartsOfTheLongest)
{
    Options o;
    o.table_every = 0.1;
    o.dt_max = 0.03;
    o.dt_min = 0.001;
    EXPECT_EQ(plan_of(o).dt_max, 0.1 / 4);
    EXPECT_EQ(plan_of(o).dt_min, 0.1 / 64);
    o.method = "treewalk";
    o.dt = 0.01;
    EXPECT_EQ(plan_of(o).dt, 0.1 / 16);
    o.dt_max = 0.001;
    expect_in("--dt 0.01 is above --dt-max 0.001", refusal(o));
    o.dt.reset();
    o.dt_min.reset();
    EXPECT_EQ(plan_of(o).dt, 0.001);  // the default is not above either
    o.dt_max = o.table_every = o.t_end = 1e-20;
    EXPECT_LT(plan_of(o).dt_min, 1e-20);
    o.dt_max = o.table_every = o.t_end = 1e-320;
    expect_in("is below 1e-50: choose units", refusal(o));
}

TEST(Plan, AShortRunFarFromZeroIsARun)
{
    Options o;
    o.t_begin = 1e9;
    o.t_end = 1e9 + 0x1p-16;
    o.dt_max = o.table_every = 0x1p-17;
    EXPECT_EQ(plan_of(o).t_end, *o.t_end);
}

// The Sun and two planets at 4 and 9 AU.  A fall from 4 AU takes sqrt(4^3) = 8 units of time.
TEST(Plan, TheUnitsOfAnInputChooseNoStep)
{
    Snapshot snapshot;
    snapshot.bodies = {body(1, {}, {}), body(1e-9, {4, 0, 0}, {}), body(1e-9, {9, 0, 0}, {})};
    Options o;
    o.input = "planets.txt";
    o.method = "treewalk";
    EXPECT_EQ(plan(o, snapshot).dt, 1.0 / 256);
    snapshot.bodies[1].x[0] = 0.04;  // a fall of 0.008
    EXPECT_EQ(plan(o, snapshot).dt, 0x1p-14);
    snapshot.bodies[1].x[0] = 4;
    o.input_units = "AU,Msun";
    o.t_end = 650;
    Settings s = plan(o, snapshot);
    EXPECT_EQ(s.dt_max, 650.0 / 64);
    EXPECT_EQ(s.table_every, 650.0 / 64);
    EXPECT_EQ(s.dt, 650.0 / 64 / 256);  // 8/128 is 0.0625
    o.snapshot_every = 3;
    s = plan(o, snapshot);
    EXPECT_EQ(s.dt_max, 1);
    EXPECT_EQ(s.table_every, 10);
    o.dt_max = 100;
    o.snapshot_every.reset();
    s = plan(o, snapshot);
    EXPECT_EQ(s.dt_max, 50);
    EXPECT_EQ(s.table_every, 100);
    o.dt_max.reset();
    o.t_end = 640;  // 80 times 8
    s = plan(o, snapshot);
    EXPECT_EQ(s.dt_max, 8);
    EXPECT_EQ(s.table_every, 8);
    EXPECT_EQ(s.dt, 0.03125);  // the planets make the fall a little shorter than 8
    o.dt = 16;                 // longer than a 64th of the run
    s = plan(o, snapshot);
    EXPECT_EQ(s.dt, 16);
    EXPECT_EQ(s.dt_max, 16);
    EXPECT_EQ(s.table_every, 16);
}

TEST(Plan, TellsOfShortStepsThatNobodyAskedFor)
{
    Options o;
    o.t_end = 0.5;
    const auto told = [&] { return short_steps(o, plan_of(o), 0); };
    EXPECT_EQ(told(), "");
    o.table_every = 0.1;
    EXPECT_EQ(told(), "");
    o.table_every = 0.13;  // 13 steps of 0.01
    EXPECT_EQ(told(), "");
    o.table_every = 0.1;  // 50 steps of 0.002
    o.t_end = 0.502;
    expect_in("no step above 0.002 leads", told());
    o.dt_max = 0.01;
    EXPECT_EQ(told(), "");
    o = Options();
    o.t_end = 1000;  // many steps to each time
    EXPECT_EQ(told(), "");
    o.t_end = 1e-6;
    EXPECT_EQ(told(), "");
    o.t_end = 0.75;
    o.table_every = 0.25;
    o.input_units = "AU,Msun";  // steps of 1/128, the power of two below a 64th of the run
    EXPECT_EQ(told(), "");
}

TEST(Plan, NamesTimesThatShareNoStep)
{
    Options o;
    o.table_every = 0.3001;
    expect_in("--t-end 1 is 3.332222592 times --table 0.3001", refusal(o));
    o.measures["--table"] = "2Myr";
    expect_in("times --table 2Myr (0.3001): no step leads to both", refusal(o));
    o = Options();
    expect_error("the particles are at t = 0.0198123, which shares no step with --t-end "
                 "1: give --t-begin",
                 [&] { plan_of(o, 0.0198123); });
    o.t_begin = 0.0198123;
    expect_error("--t-end 1 is 50.47369563 times --t-begin 0.0198123: no step leads",
                 [&] { plan_of(o, 0.0198123); });
    o.t_begin = 0.02;
    EXPECT_NEAR(plan_of(o, 0.02).dt_max, 0.02, 1e-16);
}

// Whatever the unit of time: what is advised is near, and is taken.  Particles that keep their
// steps keep to the times of these.
TEST(Plan, AdvisesTimesThatARestartTakes)
{
    for (double dt_max : {0.125, 0.1})
        for (double time : {0.33, 0.001, 1.1e-9, 7.7e-15, 1000.33, 3.1556952e7 + 0.12}) {
            Snapshot snapshot;
            snapshot.state = RunState();
            snapshot.state->settings.dt_max = dt_max;
            snapshot.state->settings.table_every = dt_max;
            snapshot.state->settings.dt_min = std::ldexp(dt_max, -20);
            Options o;
            o.t_end = time;
            o.dt_min = std::min(std::ldexp(dt_max, -20), std::ldexp(time, -20));
            const std::string text = error_of([&] { plan(o, snapshot); });
            const std::size_t at = text.find("try ") + 4, middle = text.find(" or ", at),
                              last = text.find(", or give", at);
            ASSERT_LT(last, text.size()) << text;
            for (std::string advice :
                 {text.substr(at, middle - at), text.substr(middle + 4, last - middle - 4)}) {
                ASSERT_EQ(g6tools::fraction()(advice), "") << text;
                o.t_end = std::strtod(advice.c_str(), nullptr);
                EXPECT_NEAR(*o.t_end, time, 0.25 * time) << text;
                EXPECT_NEAR(plan(o, snapshot).t_end / *o.t_end, 1, 1e-14);
            }
        }
}

TEST(Plan, RefusesWhatCannotBe)
{
    const auto with = [](std::optional<double> Options::*member, double value) {
        Options o;
        o.*member = value;
        return refusal(o);
    };
    expect_in("--eta must be positive", with(&Options::eta, -1));
    expect_in("--eta-start must be positive", with(&Options::eta_start, 0));
    expect_in("--eps must not be negative", with(&Options::eps, -0.1));
    expect_in("--dt-max must be positive", with(&Options::dt_max, -0.1));
    expect_in("--dt-min must be positive", with(&Options::dt_min, 0));
    expect_in("--dt must be positive", with(&Options::dt, 0));
    expect_in("--dt-min 0.5 is above --dt-max", with(&Options::dt_min, 0.5));
    expect_in("too short for |t| = 1", with(&Options::dt_min, 0x1p-60));
    expect_in("nothing to do", with(&Options::t_end, -1));
    Snapshot ended;
    ended.time = Settings().t_end;
    expect_error("nothing to do", [&] { plan(Options(), ended); });
    expect_in("--dt-max 0.125 is too short for a run from t = 0 to 1e+30",
              with(&Options::t_end, 1e30));
    expect_error("from t = -1e+30 to 1", [] { plan_of(Options(), -1e30); });
    EXPECT_EQ(plan_of(Options(), -0x1p20).dt_min, 0x1p-31);  // 2^51 steps to the start
    expect_in("--table must be positive", with(&Options::table_every, 0));
    expect_in("--snapshot must not be negative", with(&Options::snapshot_every, -1));
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
    snapshot.time = 3 * 0.3;
    for (double end : {snapshot.time, 0.9, 0.9 * (1 - 1e-15)}) {  // a rounding beside the time
        o.t_end = end;
        int status = -1;
        expect_in("nothing to do", error_of([&] { plan(o, snapshot); }, &status));
        EXPECT_EQ(status, kExitOk) << end;
    }
    o.t_end = 8;
    o.eps = 0.02;
    expect_error("the restart has --eps 0.01", [&] { plan(o, snapshot); });
}

// --dt-max is a limit, as in a new run: the longest step is 0.025 times a power of 2.
TEST(Plan, ARestartTakesTheLongestStepOfItsGridBelowDtMax)
{
    for (const char *method : {"hermite", "treewalk"}) {
        Snapshot snapshot;
        snapshot.state = RunState();
        Settings &stored = snapshot.state->settings;
        stored.method = method;
        stored.steps = stored.leaps() ? "shared" : "block";
        stored.dt_max = stored.table_every = 0.025;
        Options o;
        o.t_end = 2;
        for (const auto &[limit, step] : {std::pair(0.03, 0.025), std::pair(0.025, 0.025),
                                          std::pair(0.06, 0.025), std::pair(0.02, 0.0125)}) {
            o.dt_max = limit;
            EXPECT_EQ(plan(o, snapshot).dt_max, step) << method << limit;
        }
        stored.table_every = 0.05;
        o.dt_max = 0.06;
        EXPECT_EQ(plan(o, snapshot).dt_max, 0.05) << method;
    }
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
    EXPECT_EQ(refusal_of("treecode", "shared"), "");
    expect_in("the restart has the method 'hermite6'", refusal_of("hermite6", "block"));
    expect_in("the restart has the steps 'share'", refusal_of("hermite", "share"));
}

// Half the mean distance within the radius r of 10 %: r (4 pi / 3 / (N/10))^(1/3) / 2.  A Plummer
// sphere has r = 0.31: 0.042 for 2048 bodies, 0.021 for eight times as many.
TEST(Plan, ALeapfrogOfAModelIsSoftened)
{
    Options o;
    o.method = "treewalk";
    const auto softening = [&](long long n) {
        o.plummer = n;
        return plan(o, plummer_snapshot(static_cast<std::size_t>(n), 1)).eps;
    };
    EXPECT_EQ(softening(2048), 1.0 / 32);
    EXPECT_EQ(softening(8 * 2048), 1.0 / 64);
    o.method = "treecode";
    EXPECT_EQ(softening(2048), 1.0 / 32);
    o.eps = 0;
    EXPECT_EQ(softening(2048), 0);
    o.eps.reset();
    o.method = "hermite";
    EXPECT_EQ(softening(2048), 0);
    o = Options();
    o.method = "treewalk";
    o.input = "file";
    EXPECT_EQ(plan(o, plummer_snapshot(2048, 1)).eps, 0);
}

TEST(Plan, ALeapfrogMayBeOffByAPerCent)
{
    Options o;
    EXPECT_EQ(plan_of(o).max_error, 1);
    o.method = "treewalk";
    EXPECT_EQ(plan_of(o).max_error, 0.01);
    Snapshot snapshot;
    snapshot.state = RunState();
    snapshot.time = 0.5;
    EXPECT_EQ(plan(o, snapshot).max_error, 0.01);  // of another method
    snapshot.state->settings.method = "treewalk";
    snapshot.state->settings.steps = "shared";
    snapshot.state->settings.max_error = 0.1;
    EXPECT_EQ(plan(o, snapshot).max_error, 0.1);
    o.max_error = 2;
    EXPECT_EQ(plan(o, snapshot).max_error, 2);
}

// Two bodies of a run by a method and its steps, at 1/2; the second may have another time.
Snapshot stopped(const char *method, const char *steps, double second = 0.5)
{
    Snapshot snapshot;
    snapshot.time = 0.5;
    snapshot.state = RunState();
    Settings &s = snapshot.state->settings;
    s.method = method;
    s.steps = steps;
    s.eps = 0.01;
    snapshot.bodies.resize(2);
    for (Body &b : snapshot.bodies) b.t = 0.5, b.dt = s.dt;
    snapshot.bodies[1].t = second;
    return snapshot;
}

Options asking(const char *method, const char *steps)
{
    Options o;
    o.method = method;
    o.steps = steps;
    return o;
}

// Block steps leave each particle at a time of its own, and other schemes begin with all at one.
// Those of a leapfrog and of the Hermite scheme are not the same.
TEST(Plan, NeedsAllParticlesAtOneTimeForOtherSteps)
{
    const struct {
        const char *method, *steps, *asked, *asked_steps, *refusal;
    } cases[] = {
        {"hermite", "block", "hermite", "block", ""},
        {"hermite", "block", "hermite", "shared", "goes on where all particles are at one time"},
        {"hermite", "block", "treewalk", "",
         "--method treewalk goes on where all particles are at"},
        {"treewalk", "block", "treewalk", "", ""},
        {"treewalk", "block", "treewalk", "shared", "--steps shared goes on where all"},
        {"treewalk", "block", "hermite", "", "--method hermite goes on where all"},
        {"treewalk", "block", "hermite", "block", "--method hermite goes on where all"}};
    for (const auto &c : cases) {
        const Options o = asking(c.asked, c.asked_steps);
        SCOPED_TRACE(std::string(c.method) + " " + c.asked + " " + c.asked_steps);
        EXPECT_EQ(plan(o, stopped(c.method, c.steps)).method, c.asked);
        const std::string text =
            error_of([&] { plan(o, stopped(c.method, c.steps, 0.5 - 1.0 / 512)); });
        EXPECT_EQ(text.empty(), !*c.refusal);
        expect_in(c.refusal, text);
    }
}

// A leapfrog has no jerks, and its equal steps are none of the block scheme.
TEST(Plan, ComputesStepsAnewForAnotherScheme)
{
    const struct {
        const char *method, *steps, *asked, *asked_steps;
        bool goes_on;
    } cases[] = {
        {"treecode", "shared", "", "", true},         {"treecode", "shared", "treewalk", "", true},
        {"treecode", "shared", "hermite", "", false}, {"treewalk", "shared", "", "block", false},
        {"treewalk", "block", "", "", true},          {"treewalk", "block", "", "block", true}};
    for (const auto &c : cases) {
        const Snapshot snapshot = stopped(c.method, c.steps);
        const Options o = asking(c.asked, c.asked_steps);
        EXPECT_EQ(goes_on(snapshot, plan(o, snapshot)), c.goes_on)
            << c.method << " " << c.steps << " " << c.asked << " " << c.asked_steps;
    }
    // Its time may be no multiple of the Hermite scheme's longest step.
    Snapshot snapshot = stopped("treecode", "shared");
    snapshot.time = 1.0 / 64;
    for (Body &b : snapshot.bodies) b.t = snapshot.time;
    EXPECT_EQ(plan(asking("hermite", ""), snapshot).dt_max, 1.0 / 64);
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
    expect_in("need an --eps above 0", refusal(o));
    o.eps = 0.01;
    EXPECT_FALSE(plan_of(o).uses_dt());
    EXPECT_FALSE(plan_of(o).shares_steps());
    o.method = "treecode";
    expect_in("goes with hermite and treewalk", refusal(o));
}

// --eta means something else in the other scheme.
TEST(Plan, EachSchemeHasItsOwnAccuracyParameter)
{
    Snapshot snapshot = stopped("treewalk", "shared");
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
