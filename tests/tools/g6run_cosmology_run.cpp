// SPDX-License-Identifier: MIT
// Whole spheres in an expanding universe: energy equations, outputs, restarts, refusals, and the
// files that failing runs leave.
#include "g6run_universe.h"
#include "tools/g6run/cosmology_file.h"
#include "tools/g6run/cosmology_run.h"
#include "tools/g6run/error.h"

#include <g6lib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

using namespace g6run;
using namespace g6runtest;
using g6test::bytes_of;

namespace fs = std::filesystem;

// ---- energy -------------------------------------------------------------------------------------

// A ball of a lattice whose particles have the momenta of the growing mode of a wave.
Particles wavy_ball(const Universe &u, double radius, double a)
{
    Particles p;
    for (std::size_t k = 0; k < u.size(); k++) {
        const Vector x = u.from_middle(k);
        if (square(x) > radius * radius) continue;
        p.resize(p.size() + 1);
        p.x.back() = x;
        for (std::size_t d = 0; d < 3; d++)
            p.p.back()[d] = a * a * u.cosmology.hubble(a) * u.amplitude * u.unit * u.box / u.side *
                            std::sin(2 * M_PI * (x[(d + 1) % 3] / (u.box * u.unit) + 0.5));
        p.mass.back() = u.mass();
    }
    return p;
}

struct Worst {
    double peculiar = 0, total = 0;  // errors at the end
    double kinetic = 0;
};

// Direct sums in double: what errs is the leapfrog and the sums over time, both of second order.
Worst energy_errors(const CosmicSoftening &softening, int count, const char *in)
{
    const Universe u;
    const ComovingForce force{kGravity, u.cosmology.omega_m * kHubble0 * kHubble0 / 2, softening};
    const ExpansionSteps steps(u.cosmology, 0.1, 1, count, in);
    Gravity gravity("cpu", "double", "treewalk", 1, "0", false);
    ComovingLeapfrog run(gravity, std::make_unique<LibraryField>(gravity), wavy_ball(u, 15e3, 0.1),
                         steps, force, 0);
    run.first_force();
    CosmicEnergy energy(u.cosmology, force);
    energy.start(run.a(), run.sums());
    CosmicEnergies e;
    for (int k = 0; k < count; k++) {
        run.step(false);
        e = energy.add(run.a(), run.sums());
    }
    return {std::fabs(e.layzer_irvine_error), std::fabs(e.total_error), e.kinetic};
}

TEST(CosmicEnergy, follows_both_equations_to_second_order_of_the_step)
{
    for (const CosmicSoftening &softening :
         {CosmicSoftening{2000, 1}, CosmicSoftening{2000, 0.1}, CosmicSoftening{2000, 0.4}})
        for (const char *in : {"a", "time"}) {
            const Worst coarse = energy_errors(softening, 100, in);
            const Worst fine = energy_errors(softening, 200, in);
            EXPECT_GT(fine.kinetic, 0);
            // A quarter, and the noise of a sum of which large parts cancel.
            EXPECT_LT(fine.peculiar, 0.3 * coarse.peculiar + 1e-6) << softening.a_until << in;
            EXPECT_LT(fine.total, 0.3 * coarse.total + 1e-7) << softening.a_until << in;
            // The first steps are of some 5 or 10 per cent in a; their squares.
            EXPECT_LT(fine.peculiar, 1e-2) << softening.a_until << in;
            EXPECT_LT(fine.total, 1e-2) << softening.a_until << in;
        }
}

// ---- the program --------------------------------------------------------------------------------

// A small run: its input, its options, its folder.
struct Case {
    Folder folder;
    Options o;

    Case()
    {
        write_universe(folder / "ics.hdf5", Universe{});
        o.input = folder / "ics.hdf5";
        o.backend = "cpu";
        o.quiet = true;
        o.output = folder / "out";
        o.cosmic.cosmology = "header";
        o.cosmic.sphere = "25Mpc/h";
        o.cosmic.eps = "300kpc";
        o.cosmic.n_steps = 12;
    }
    std::string out(const std::string &name) const { return folder / ("out/" + name); }
    // Goes on from one of its snapshots.
    Options after(const std::string &snapshot) const
    {
        Options again;
        again.quiet = true;
        again.backend = "cpu";
        again.restart = out(snapshot);
        return again;
    }
    std::string error() const
    {
        return error_of([this] { run_cosmology(o); });
    }
};

TEST(CosmicRun, writes_what_gadget_writes)
{
    Case c;
    // A few lumps of a lattice are off the mean density and spread: not out of the box.
    c.o.cosmic.sphere = "10Mpc/h";
    c.o.cosmic.eps = "5Mpc";
    ASSERT_EQ(run_cosmology(c.o), 0);
    const Group file = open_hdf5(c.out("snapshot_0001.hdf5")), header = file.group("Header");
    EXPECT_EQ(header.number("Time"), 1);
    EXPECT_EQ(header.number("Redshift"), 0);
    EXPECT_EQ(header.number("Omega0"), 0.3);
    EXPECT_EQ(header.number("OmegaLambda"), 0.7);
    EXPECT_EQ(header.number("HubbleParam"), 0.7);
    EXPECT_EQ(header.number("BoxSize"), 50e3);
    EXPECT_NEAR(header.numbers("MassTable")[1], Universe{}.mass(), 1e-12 * Universe{}.mass());
    EXPECT_NEAR(file.group("Units").number("UnitLength_in_cm"), 3.0856776e21, 1e15);
    const Group bodies = file.group("PartType1");
    EXPECT_EQ(bodies.data("Velocities").number("aexp-scale-exponent"), 0.5);
    EXPECT_EQ(bodies.data("Coordinates").number("h-scale-exponent"), -1);
    const CosmicSnapshot s = read_cosmic_snapshot(c.out("snapshot_0000.hdf5"));
    const std::vector<double> v = open_hdf5(c.out("snapshot_0000.hdf5"))
                                      .group("PartType1")
                                      .read("Velocities", s.particles.size(), 3);
    // The first snapshot has the input's velocities.
    for (std::size_t k = 0; k < s.particles.size(); k++)
        EXPECT_NEAR(v[3 * k], Universe{}.u(s.particles.id[k] - 1000)[0], 1e-12);
}

TEST(CosmicRun, writes_at_the_steps_nearest_to_the_redshifts_asked_for)
{
    Case c;
    c.o.cosmic.n_steps = 98;  // of 0.01 in a
    c.o.cosmic.z_out = "9,1,0.0001";
    ASSERT_EQ(run_cosmology(c.o), 0);
    const double expected[] = {0.02, 0.1, 0.5, 1};
    for (int k = 0; k < 4; k++) {
        const std::string name = "snapshot_000" + std::to_string(k) + ".hdf5";
        EXPECT_NEAR(read_cosmic_snapshot(c.out(name)).a, expected[k], 1e-12);
    }
    EXPECT_FALSE(fs::exists(c.out("snapshot_0004.hdf5")));
    std::ofstream(c.folder / "list") << "# two\n9\n1\n";
    c.o.cosmic.z_out = c.folder / "list";
    c.o.output = c.folder / "other";
    ASSERT_EQ(run_cosmology(c.o), 0);
    EXPECT_TRUE(fs::exists(c.folder / "other/snapshot_0003.hdf5"));
}

// Also where the softening changes, and with the criterion that asks for old accelerations.
TEST(CosmicRun, goes_on_from_a_snapshot_with_the_same_bits)
{
    const std::pair<const char *, const char *> ways[] = {
        {"treewalk", "bh"}, {"treewalk", "acceleration"}, {"treecode", "bh"}};
    for (const auto &[method, criterion] : ways) {
        setenv("G6_MAC", criterion, 1);
        Case c;
        c.o.method = method;
        c.o.theta = 0.7;
        c.o.group = 32;
        c.o.snapshot_every = 4;
        c.o.cosmic.eps_comoving_until = 3;
        ASSERT_EQ(run_cosmology(c.o), 0);
        Options again = c.after("snapshot_0001.hdf5");
        again.output = c.folder / "again";
        ASSERT_EQ(run_cosmology(again), 0);
        for (const char *name : {"snapshot_0002.hdf5", "snapshot_0003.hdf5"})
            EXPECT_TRUE(bytes_of(c.out(name)) == bytes_of(c.folder / "again/" + name))
                << method << criterion << name;
    }
    unsetenv("G6_MAC");
}

// The last lines of the table, which hold times that differ from run to run in their last column.
TEST(CosmicRun, goes_on_in_its_own_folder_and_table)
{
    Case c;
    c.o.snapshot_every = 6;
    ASSERT_EQ(run_cosmology(c.o), 0);
    const std::string whole = bytes_of(c.out("snapshot_0002.hdf5"));
    fs::remove(c.out("snapshot_0002.hdf5"));
    Options again = c.after("snapshot_0001.hdf5");
    ASSERT_EQ(run_cosmology(again), 0);
    EXPECT_TRUE(bytes_of(c.out("snapshot_0002.hdf5")) == whole);
    std::ifstream table(c.out("table.txt"));
    int rows = 0, expected = 0;
    for (std::string line; std::getline(table, line);)
        if (line[0] != '#') {
            EXPECT_EQ(std::atoi(line.c_str()), expected++);
            rows++;
        }
    EXPECT_EQ(rows, 13);
}

TEST(CosmicRun, leaves_the_files_of_an_earlier_run)
{
    Case c;
    ASSERT_EQ(run_cosmology(c.o), 0);
    const std::string first = bytes_of(c.out("snapshot_0001.hdf5"));
    c.o.cosmic.eps = "400kpc";
    expect_in("not empty", c.error());
    EXPECT_TRUE(bytes_of(c.out("snapshot_0001.hdf5")) == first);
    // A wrong input must not cost the old files, even with --overwrite.
    c.o.overwrite = true;
    c.o.input = c.folder / "nothing.hdf5";
    expect_in("no such file", c.error());
    EXPECT_TRUE(bytes_of(c.out("snapshot_0001.hdf5")) == first);
}

TEST(CosmicRun, refuses_what_does_not_go_together)
{
    const auto refusal = [](const std::function<void(Options &)> &change) {
        Case c;
        change(c.o);
        const std::string text = c.error();
        EXPECT_FALSE(fs::exists(c.folder / "out")) << text;
        return text;
    };
    expect_in("--eps is missing", refusal([](Options &o) { o.cosmic.eps = ""; }));
    expect_in("redshifts must fall", refusal([](Options &o) { o.cosmic.z_out = "1,2"; }));
    expect_in("'x' in 1,x is no redshift", refusal([](Options &o) { o.cosmic.z_out = "1,x"; }));
    expect_in("is not between", refusal([](Options &o) { o.cosmic.z_out = "60,1"; }));
    expect_in("nothing to do", refusal([](Options &o) { o.cosmic.z_end = 60; }));
    expect_in("is not Omega_matter", refusal([](Options &o) { o.cosmic.cosmology = "0.3"; }));
    expect_in("comoving leapfrog", refusal([](Options &o) { o.method = "hermite"; }));
    expect_in("--n-steps", refusal([](Options &o) { o.dt = 0.5; }));
    expect_in("counts steps", refusal([](Options &o) { o.snapshot_every = 0.5; }));
    expect_in("is no length", refusal([](Options &o) { o.cosmic.sphere = "25lightyears"; }));
    setenv("G6_MAC", "bh", 1);
    expect_in("G6_MAC has no effect",
              refusal([](Options &o) { o.method = "treecode", o.strict = true; }));
    unsetenv("G6_MAC");
}

TEST(CosmicRun, refuses_other_steps_and_changed_particles_at_a_restart)
{
    Case c;
    c.o.snapshot_every = 6;
    ASSERT_EQ(run_cosmology(c.o), 0);
    Options again = c.after("snapshot_0001.hdf5");
    again.output = c.folder / "again";
    again.cosmic.n_steps = 100;
    expect_error("goes on with the steps", [&] { run_cosmology(again); });
    again.cosmic.n_steps = 0;
    // As the command line reads --eps 50kpc without --cosmology.
    again.cosmic.eps = again.measures["--eps"] = "50kpc";
    expect_error("goes on with the steps", [&] { run_cosmology(again); });
    again.cosmic.eps = "";
    again.measures.clear();
    CosmicSnapshot wrong = read_cosmic_snapshot(again.restart);
    overwrite(again.restart, "PartType1/Position",
              std::vector<double>(3 * wrong.particles.size(), -1));
    expect_error("one of them was changed", [&] { run_cosmology(again); });
    wrong.state.settings.steps = NAN;
    again.restart = c.folder / "wrong.hdf5";
    write_cosmic_snapshot(again.restart, wrong);
    expect_error("holds what no run has", [&] { run_cosmology(again); });
    EXPECT_FALSE(fs::exists(c.folder / "again"));
}

TEST(CosmicRun, that_has_reached_its_end_is_no_failure)
{
    Case c;
    ASSERT_EQ(run_cosmology(c.o), 0);
    int status = -1;
    expect_in("is at its end, z = ",
              error_of([&] { run_cosmology(c.after("snapshot_0001.hdf5")); }, &status));
    EXPECT_EQ(status, kExitOk);
}

// ---- runs that go wrong, and what a terminal shows

constexpr int kSteps = 130, kStretch = 3;  // a run has at most 64 stretches
constexpr const char *kHard = "1kpc";      // close pairs, whose energy these steps lose
constexpr double kLimit = 0.3;

std::vector<std::string> rows(const std::string &text)
{
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#') found.push_back(line);
    return found;
}

// The error of the energy equation in a line of the table.
double error_in(const std::string &row)
{
    std::istringstream words(row);
    std::string word;
    for (int column = 0; column < 7; column++) words >> word;
    return std::fabs(std::strtod(word.c_str(), nullptr));
}

TEST(CosmicRun, leaves_the_last_particles_that_are_right_when_its_energy_is_not)
{
    Case whole;
    whole.o.cosmic.n_steps = kSteps;
    whole.o.cosmic.eps = kHard;
    ASSERT_EQ(run_cosmology(whole.o), 0);
    const std::vector<std::string> table = rows(bytes_of(whole.out("table.txt")));
    int wrong = 0;
    while (wrong < kSteps && error_in(table[static_cast<std::size_t>(wrong)]) <= kLimit) wrong++;
    ASSERT_GT(wrong, kStretch);
    ASSERT_LT(wrong, kSteps);
    Case c;
    c.o.cosmic.n_steps = kSteps;
    c.o.cosmic.eps = kHard;
    c.o.max_error = kLimit;
    int status = kExitOk;
    const std::string text = error_of([&] { run_cosmology(c.o); }, &status);
    EXPECT_EQ(status, kExitWrongPhysics) << text;
    ASSERT_TRUE(fs::exists(c.out("last_good.hdf5")));
    const CosmicSnapshot good = read_cosmic_snapshot(c.out("last_good.hdf5"));
    EXPECT_EQ(good.state.step, (wrong - 1) / kStretch * kStretch);
    // It goes on as a run does that nothing ended.
    Options again = c.after("last_good.hdf5");
    again.max_error = 1e9;
    ASSERT_EQ(run_cosmology(again), 0);
    const CosmicSnapshot end = read_cosmic_snapshot(c.out("snapshot_0001.hdf5"));
    const CosmicSnapshot expected = read_cosmic_snapshot(whole.out("snapshot_0001.hdf5"));
    EXPECT_EQ(end.particles.x, expected.particles.x);
    EXPECT_EQ(end.particles.p, expected.particles.p);
}

// Of 130 steps: 0, 3 ... 129 and the last, and all of them in the table; or those asked for.
TEST(CosmicRun, shows_a_line_for_each_stretch_or_those_that_table_asks_for)
{
    const struct {
        double every;
        std::size_t shown, kept;
    } cases[] = {{0, 45, 131}, {1, 131, 131}, {10, 14, 14}};
    for (const auto &wanted : cases) {
        Case c;
        c.o.cosmic.n_steps = kSteps;
        if (wanted.every > 0) c.o.table_every = wanted.every;
        c.o.quiet = false;
        testing::internal::CaptureStdout();
        const int status = run_cosmology(c.o);
        EXPECT_EQ(rows(testing::internal::GetCapturedStdout()).size(), wanted.shown);
        EXPECT_EQ(status, 0);
        EXPECT_EQ(rows(bytes_of(c.out("table.txt"))).size(), wanted.kept);
    }
}

}  // namespace
