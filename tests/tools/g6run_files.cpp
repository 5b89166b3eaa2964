// SPDX-License-Identifier: MIT
// Snapshots that are written and read again, files of other programs, and damaged ones.
#include "g6run_systems.h"
#include "tests/child.h"
#include "tests/systems.h"
#include "tools/g6run/start.h"
#include "tools/g6run/table.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace {

using namespace g6run;
using namespace g6runtest;
using Hdf5Snapshot = InFolder;
using TextSnapshot = InFolder;
using SnapshotFile = InFolder;
using TableFile = InFolder;

// Numbers with no short decimal form in every member.
Snapshot awkward()
{
    Snapshot s;
    s.time = 1.0 / 3;
    for (int k = 0; k < 5; k++) {
        Body b = body(0.1 * (k + 1), {1.0 / (k + 3), -M_PI * k, 1e-300}, {1e10 / 7, -k / 9.0, 0});
        b.t = 0.25;
        b.dt = std::ldexp(1, -4 - k);
        for (int d = 0; d < 3; d++) {
            b.a[d] = std::sin(k + d);
            b.j[d] = std::cos(k + d);
        }
        b.id = (std::uint64_t{1} << 63) + 7u * static_cast<unsigned>(k);
        s.bodies.push_back(b);
    }
    s.types = {0, 2, 0, 0, 3, 0};
    RunState state;
    state.settings.eta = 0.1 / 3;
    state.settings.precision = "double";
    state.settings.steps = "shared";
    state.settings.units = "3pc,1e4Msun";
    state.energy = -1.0 / 7;
    state.potential = 1.0 / 3;
    state.snapshots = 12;
    s.state = state;
    return s;
}

std::map<std::string, double> numbers_of(RunState state)
{
    std::map<std::string, double> numbers;
    visit_numbers(state, [&](const char *name, double value) { numbers[name] = value; });
    return numbers;
}

TEST_F(Hdf5Snapshot, ComesBackBitByBit)
{
    const Snapshot out = awkward();
    write_snapshot(path, Format::kHdf5, out);
    const Snapshot in = read_snapshot(path);
    EXPECT_EQ(in.time, out.time);
    EXPECT_EQ(in.types, out.types);
    expect_same_bits(in.bodies, out.bodies);
    ASSERT_TRUE(in.state);
    EXPECT_EQ(numbers_of(*in.state), numbers_of(*out.state));
    EXPECT_EQ(in.state->settings.precision, "double");
    EXPECT_EQ(in.state->settings.mode, "");
    EXPECT_EQ(in.state->settings.steps, "shared");
    EXPECT_EQ(in.state->settings.units, "3pc,1e4Msun");
    EXPECT_FALSE(std::filesystem::exists(path + ".tmp"));
}

// 1/4 after its own time 1/2 the body is at 1 + 2/4 + 4/32 + 8/384, with the speed 2 + 4/4 + 8/32.
TEST_F(Hdf5Snapshot, BetweenCommonTimesIsAnInputAtOneTime)
{
    Snapshot out = awkward();
    out.time = 0.75;
    for (Body &b : out.bodies) b.t = 0.75;
    Body &late = out.bodies[1];
    late.t = 0.5;
    late.x[1] = 1;
    late.v[1] = 2;
    late.a[1] = 4;
    late.j[1] = 8;
    Options options;
    options.input = path;
    write_snapshot(options.input, Format::kHdf5, out);
    const Snapshot in = initial_conditions(options);
    EXPECT_NEAR(in.bodies[1].x[1], 1.625 + 8.0 / 384, 1e-15);
    EXPECT_EQ(in.bodies[1].v[1], 3.25);
    EXPECT_EQ(in.bodies[2].x[1], out.bodies[2].x[1]);
    EXPECT_EQ(in.time, 0.75);
    std::swap(options.input, options.restart);
    EXPECT_EQ(initial_conditions(options).bodies[1].x[1], 1);
}

// Version 3 of the state has no limit of the energy error; versions 3 and 4 have no units.
TEST_F(Hdf5Snapshot, OfAnOlderVersionGetsDefaults)
{
    Snapshot out = awkward();
    out.state->settings.max_error = 0.5;
    write_snapshot(path, Format::kHdf5, out);
    EXPECT_EQ(read_snapshot(path).state->settings.max_error, 0.5);
    replace_attributes(path, "G6run", {"Version", kUnitsName}, 4);
    EXPECT_EQ(read_snapshot(path).state->settings.max_error, 0.5);
    EXPECT_EQ(read_snapshot(path).state->settings.units, "");
    replace_attributes(path, "G6run", {"Version", kMaxErrorName, kPotentialName}, 3);
    EXPECT_EQ(read_snapshot(path).state->settings.max_error, 1);
    EXPECT_EQ(read_snapshot(path).state->energy, out.state->energy);
    EXPECT_EQ(read_snapshot(path).state->potential, 0);
}

// Up to version 5 a leapfrog always has equal steps, and Steps keeps the default of the Hermite
// scheme.
TEST_F(Hdf5Snapshot, OfAnOlderLeapfrogHasEqualSteps)
{
    Snapshot out = awkward();
    out.state->settings.steps = "block";
    for (const char *method : {"hermite", "treewalk"}) {
        out.state->settings.method = method;
        write_snapshot(path, Format::kHdf5, out);
        EXPECT_EQ(read_snapshot(path).state->settings.steps, "block");
        replace_attributes(path, "G6run", {"Version"}, 5);
        EXPECT_EQ(read_snapshot(path).state->settings.uses_dt(), method[0] == 't') << method;
    }
}

TEST_F(TextSnapshot, ComesBackBitByBit)
{
    const Snapshot out = awkward();
    write_snapshot(path, Format::kText, out);
    const Snapshot in = read_snapshot(path);
    EXPECT_EQ(in.time, out.time);
    EXPECT_FALSE(in.state);
    ASSERT_TRUE(in.settings);
    RunState with_settings = *out.state;
    with_settings.settings = *in.settings;
    EXPECT_EQ(numbers_of(with_settings), numbers_of(*out.state));
    EXPECT_EQ(in.settings->precision, "double");
    EXPECT_EQ(in.settings->mode, "");
    EXPECT_EQ(in.settings->method, "hermite");
    EXPECT_EQ(in.settings->steps, "shared");
    EXPECT_EQ(in.settings->units, "3pc,1e4Msun");
    ASSERT_EQ(in.bodies.size(), out.bodies.size());
    for (std::size_t k = 0; k < in.bodies.size(); k++) {
        EXPECT_EQ(in.bodies[k].mass, out.bodies[k].mass);
        for (int d = 0; d < 3; d++) {
            EXPECT_EQ(in.bodies[k].x[d], out.bodies[k].x[d]);
            EXPECT_EQ(in.bodies[k].v[d], out.bodies[k].v[d]);
        }
    }
}

// Cut after a line, and within the last number, which would be another one.
TEST_F(TextSnapshot, TruncatedIsRefused)
{
    write_snapshot(path, Format::kText, awkward());
    const auto whole = std::filesystem::file_size(path);
    Snapshot four = awkward();
    four.bodies.pop_back();
    write_snapshot(path, Format::kText, four);
    const auto without_last = std::filesystem::file_size(path);
    const auto cut = [&](std::uintmax_t size) {
        write_snapshot(path, Format::kText, awkward());
        std::filesystem::resize_file(path, size);
        return error_of([&] { read_snapshot(path); });
    };
    EXPECT_EQ(cut(whole), "");
    expect_in("/a: has 4 of its 5 particles;", cut(without_last));
    expect_in("/a: has 5 lines, the last cut off, of its 5 particles;", cut(whole - 1));
}

TEST_F(TextSnapshot, ErrorsNameTheLine)
{
    const std::string good = "# head\n1 0 0 0 0 0 0 # a star\n\n";
    EXPECT_EQ(refusal(good + "1 2 3 4 5 six 7\n"),
              ":4: column 6 (vy): 'six' is not a number, as 0.5, 1e-3 or 1d-3 are");
    EXPECT_EQ(refusal(good + "1 2 3 4"), ":4: 4 columns, expected 7 (m x y z vx vy vz)");
    EXPECT_EQ(refusal(good + "1 2 3 4 5 6 7 8"), ":4: 8 columns, expected 7 (m x y z vx vy vz)");
    EXPECT_EQ(refusal(good + "1 nan 3 4 5 6 7"), ":4: column 2 (x): 'nan' is not finite");
    EXPECT_EQ(refusal(good + "1 1e999 3 4 5 6 7"), ":4: column 2 (x): '1e999' is not finite");
    EXPECT_EQ(refusal(good + "-1 2 3 4 5 6 7"), ":4: column 1 (m): negative mass -1");
    EXPECT_EQ(refusal("# time nan\n"), ":1: 'nan' is not finite");
    EXPECT_EQ(refusal("# nothing\n"), ": no particles");
    EXPECT_EQ(refusal("0 0 0 0 0 0 0\n"), ": the masses sum to zero");
    // What a crash of the machine may leave of 0.125: the number would be 0.12.
    EXPECT_EQ(refusal(std::string("1 2 3 4 5 6 0.12\0\n", 18)),
              ":1: column 7 (vz): '0.12?' is not a number, as 0.5, 1e-3 or 1d-3 are");
}

TEST_F(TextSnapshot, ErrorsNameTheColumnOfACsv)
{
    const std::string not_one = " is not a number, as 0.5, 1e-3 or 1d-3 are";
    EXPECT_EQ(refusal("1,2,,4,5,6,7\n"), ":1: column 3 (y): ''" + not_one);
    EXPECT_EQ(refusal("1,2,3 4,4,5,6,7\n"), ":1: column 3 (y): '3 4'" + not_one);
    EXPECT_EQ(refusal("1;2;0,3;4;5;6;7\n"), ":1: column 3 (y): '0,3'" + not_one);
    EXPECT_EQ(refusal("0,5;0,25;0,5;-0,5;0,1;-0,1;0,2\n"), ":1: column 1 (m): '0,5'" + not_one);
    EXPECT_EQ(refusal("1,2,3\n"), ":1: 3 columns, expected 7 (m x y z vx vy vz)");
    EXPECT_EQ(refusal("1 2 3 4 5 6 7\nm x y z vx vy vz\n"), ":2: column 1 (m): 'm'" + not_one);
    EXPECT_EQ(refusal("1d 2 3 4 5 6 7\n"), ":1: column 1 (m): '1d'" + not_one);
    EXPECT_EQ(refusal("d1 2 3 4 5 6 7\n"), ":1: column 1 (m): 'd1'" + not_one);
    EXPECT_EQ(refusal("1d400 2 3 4 5 6 7\n"), ":1: column 1 (m): '1d400' is not finite");
}

TEST_F(TextSnapshot, FormsOfOtherProgramsAreRead)
{
    const std::string forms[] = {
        "0.5 -20 0.25 1e-110 3 4 5\n",
        " 5.0D-01 -2.d+1 +.25d0 1.0-110 3.q0 4 5\n",
        "! NBODY\n% MATLAB\n0.5,-20,0.25, 1e-110 ,3,4,5 # star\n",
        "\xef\xbb\xbfm,x,y,z,vx,vy,vz\r\n0.5,-20,0.25,1e-110,3,4,5\r\n",
        "m x y z vx vy vz\r0.5 -20 0.25 1e-110 3 4 5\r",
        "mass;x;y;z;vx;vy;vz\n0.5;-20;0.25;1e-110;3;4;5\n",
        "\t0.5\v-20\f0.25 \t 1e-110\t3 4 0x1.4p2\r\n \t\r\n",
        "id;Velocity z;v_x;vy;\"MASS\";pos_x;Position_Y;z\n9;5;3;4;0.5;-20;0.25;1e-110\n",
        "# z y x age m vel_z vel_y vel_x\n1e-110 0.25 -20 9 0.5 5 4 3",
    };
    for (const std::string &form : forms) {
        const Snapshot s = table_of(form);
        ASSERT_EQ(s.bodies.size(), 1u) << form;
        Body expected = body(0.5, {-20, 0.25, 1e-110}, {3, 4, 5});
        if (form[0] == 'i') expected.id = 9;
        EXPECT_TRUE(same_bits(s.bodies[0], expected)) << form;
    }
}

// Writes the awkward snapshot after `change`, applies `damage` to the file, reads it.
template <class Damage> std::string hdf5_error(const Snapshot &snapshot, Damage &&damage)
{
    const Folder folder;
    const std::string path = folder / "a.hdf5";
    write_snapshot(path, Format::kHdf5, snapshot);
    damage(path);
    return error_of([&] { read_snapshot(path); });
}

TEST_F(Hdf5Snapshot, TruncatedIsRefused)
{
    const auto cut = [](std::uintmax_t size) {
        return hdf5_error(
            awkward(), [=](const std::string &path) { std::filesystem::resize_file(path, size); });
    };
    expect_in("a.hdf5: cannot be opened as HDF5 (truncated", cut(2000));
    expect_in("a.hdf5: not an HDF5 file", cut(3));
    expect_in("a.hdf5: not an HDF5 file", cut(0));
}

TEST_F(Hdf5Snapshot, WrongCountsAreRefused)
{
    Snapshot s = awkward();
    s.bodies.resize(2);
    s.types = {0, 2, 0, 0, 0, 0};
    write_snapshot(path, Format::kHdf5, s);
    const auto with = [&](const std::array<double, 6> &counts) {
        replace_attributes(path, "Header", {"NumPart_ThisFile"}, counts);
        return error_of([&] { read_snapshot(path); });
    };
    expect_in("Coordinates: size is 2 x 3, expected 3 x 3", with({0, 3, 0, 0, 0, 0}));
    expect_in("has no group PartType2", with({0, 2, 1, 0, 0, 0}));
    expect_in("PartType1 has particles, of which NumPart_ThisFile counts none",
              with({0, 0, 0, 0, 0, 0}));
    expect_in("holds an impossible number of particles", with({0, NAN, 0, 0, 0, 0}));
}

TEST_F(Hdf5Snapshot, ImpossibleParticlesAreRefused)
{
    const auto with = [](void (*change)(Body &)) {
        Snapshot s = awkward();
        change(s.bodies[3]);
        return hdf5_error(s, [](const std::string &) {});
    };
    const std::string who = "a.hdf5: particle 4: ";
    expect_in(who + "position is not finite", with([](Body &b) { b.x[1] = NAN; }));
    expect_in(who + "velocity is not finite", with([](Body &b) { b.v[2] = HUGE_VAL; }));
    expect_in(who + "mass is not finite", with([](Body &b) { b.mass = NAN; }));
    expect_in(who + "mass is negative", with([](Body &b) { b.mass = -1; }));
    expect_in(who + "acceleration, jerk or time step is not finite",
              with([](Body &b) { b.j[0] = NAN; }));
}

TEST_F(Hdf5Snapshot, AnImpossibleStateIsRefused)
{
    const auto with = [](void (*change)(RunState &)) {
        Snapshot s = awkward();
        change(*s.state);
        return hdf5_error(s, [](const std::string &) {});
    };
    expect_in("a.hdf5: InitialEnergy of its run is not finite",
              with([](RunState &s) { s.energy = NAN; }));
    expect_in("Softening of its run is not", with([](RunState &s) { s.settings.eps = NAN; }));
    expect_in("it cannot be snapshot -1 of", with([](RunState &s) { s.snapshots = -1; }));
    expect_in("it cannot be snapshot 3000000000", with([](RunState &s) { s.snapshots = 3e9; }));
}

// Whatever bytes are changed: g6run takes finite bodies, or refuses the file.
TEST_F(SnapshotFile, DamagedIsReadOrRefused)
{
    for (const Format format : {Format::kHdf5, Format::kText}) {
        write_snapshot(path, format, awkward());
        const std::string whole = g6test::bytes_of(path);
        EXPECT_TRUE(g6test::good_in_a_child([&] {
            g6test::Random random(1);
            for (int trial = 0; trial < 100; trial++) {
                std::string damaged = whole;
                for (int bytes = trial % 3 ? 1 : 30; bytes > 0; bytes--)
                    damaged[static_cast<std::size_t>(random.below(int(whole.size())))] =
                        static_cast<char>(random.below(256));
                std::ofstream(path, std::ios::binary | std::ios::trunc) << damaged;
                std::vector<Body> bodies;
                error_of([&] { bodies = read_snapshot(path).bodies; });
                for (const Body &b : bodies)
                    for (int d = 0; d < 3; d++)
                        if (!std::isfinite(b.mass + b.x[d] + b.v[d])) return false;
            }
            return true;
        }));
    }
}

TEST_F(SnapshotFile, AFileThatIsNotThereIsNamed)
{
    EXPECT_EQ(error_of([] { read_snapshot("/nowhere/a.txt"); }), "/nowhere/a.txt: no such file");
    EXPECT_EQ(error_of([] { read_snapshot("/tmp"); }), "/tmp: is a folder");
}

// Of files of equal times, as a copy or a coarse clock leaves them, the one with the largest
// number; a later time decides against numbers.  The system lists files in any order.
TEST_F(SnapshotFile, TheHighestNumberOfAFolderIsNamed)
{
    const auto named = [&] {
        const std::string text = error_of([&] { read_snapshot(folder.path()); });
        return text.substr(text.rfind('/') + 1);
    };
    for (const char *name : {"interrupted.hdf5", "snapshot_10000.hdf5", "snapshot_0009.hdf5",
                             "last_good.hdf5", "notes.txt"}) {
        std::ofstream(folder / name) << "1";
        const bool is_first = name == std::string("interrupted.hdf5");
        EXPECT_EQ(named(), is_first ? name : "snapshot_10000.hdf5");
    }
}

// Somebody else may have put a link where the unfinished file goes.
TEST_F(SnapshotFile, NoLinkIsFollowedWhenItIsWritten)
{
    const std::string precious = folder / "precious";
    std::ofstream(precious) << "precious";
    for (const Format format : {Format::kText, Format::kHdf5}) {
        ASSERT_EQ(symlink(precious.c_str(), (path + ".tmp").c_str()), 0);
        write_snapshot(path, format, awkward());
        EXPECT_EQ(read_snapshot(path).bodies.size(), 5u);
        EXPECT_EQ(std::filesystem::file_size(precious), 8u);
        ASSERT_EQ(std::remove(path.c_str()), 0);
    }
    ASSERT_EQ(symlink(precious.c_str(), (path + ".tmp").c_str()), 0);
    {
        Table table(path, true, false, 0);
        table.note("begins");
        table.publish();
    }
    EXPECT_EQ(std::filesystem::file_size(precious), 8u);
}

TEST_F(TableFile, LeavesTheOldOneUntilItIsPublished)
{
    std::ofstream(path) << "old\n";
    Table(path, true, false, 0).note("new");
    EXPECT_EQ(std::filesystem::file_size(path), 4u);
    EXPECT_FALSE(std::filesystem::exists(path + ".tmp"));
    Table table(path, true, false, 0);
    table.publish();
    table.note("new one");  // "# new one\n"
    EXPECT_EQ(std::filesystem::file_size(path), 10u);
}

// The row at the time of a restart stays, also where its time has more digits than the row shows:
// 2451545.048583984375, a Julian date, stands there as 2451545.048584.
TEST_F(TableFile, KeepsTheRowsUpToTheRestart)
{
    const double every = 0x1p-12;
    const auto time = [&](int k) { return 2451545 + k * every; };
    {
        Table table(path, true, false, 0, {}, every);
        Row row;
        for (int k = 0; k < 200; k++) {
            row.time = time(k);
            table.row(row);
        }
        table.publish();
    }
    for (int last = 199; last > 180; last--) {
        // The restart may have lines at longer or shorter intervals than the rows that are there.
        const double other = std::ldexp(every, last % 3 * 10 - 10);
        Table(path, true, true, time(last), {}, other).publish();
        std::ifstream file(path);
        int rows = 0;
        for (std::string line; std::getline(file, line);) rows++;
        EXPECT_EQ(rows, last + 1);
    }
}

// A failed write leaves the earlier file, and nothing half-written beside it.
TEST_F(SnapshotFile, AFailedWriteLeavesTheOldFile)
{
    write_snapshot(path, Format::kHdf5, awkward());
    std::filesystem::create_directory(path + ".tmp");
    std::ofstream(path + ".tmp/file") << "in the way";
    EXPECT_NE(error_of([&] { write_snapshot(path, Format::kHdf5, awkward()); }), "");
    EXPECT_EQ(read_snapshot(path).bodies.size(), 5u);
}

}  // namespace
