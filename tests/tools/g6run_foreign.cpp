// SPDX-License-Identifier: MIT
// Gadget-style files of other programs whose numbers a run cannot take as they are.
#include "g6run_systems.h"
#include "tools/g6run/hdf5_file.h"
#include "tools/g6run/plan.h"
#include "tools/g6run/start.h"

#include <filesystem>
#include <set>

namespace {

using namespace g6run;
using g6runtest::contains;
using g6runtest::error_of;
using g6runtest::Folder;

// A file of three stars; `change` gets its groups.
class Foreign {
public:
    template <class Change> explicit Foreign(Change &&change)
    {
        Group file = create_hdf5(path);
        Group header = file.create_group("Header"), stars = file.create_group("PartType1");
        header.put("NumPart_ThisFile", std::array<std::uint32_t, 6>{0, 3, 0, 0, 0, 0});
        stars.write("Coordinates", {0, 0, 0, 1, 0, 0, 0, 1, 0}, 3);
        stars.write("Velocities", std::vector<double>(9, 0.0), 3);
        stars.write("Masses", {0.25, 0.25, 0.5}, 1);
        change(file, header, stars);
    }
    Snapshot read() const { return read_snapshot(path); }
    std::string refusal() const
    {
        return error_of([&] { read(); });
    }

    const Folder folder;
    const std::string path = folder / "a.hdf5";
};

TEST(ForeignFile, IdsThatAreNoWholeNumbersFromZeroOnAreRefused)
{
    const auto with = [](const std::vector<double> &ids) {
        return Foreign([&](Group &, Group &, Group &stars) { stars.write("ParticleIDs", ids, 1); });
    };
    EXPECT_EQ(with({0x1p53, 5, 0}).read().bodies[0].id, std::uint64_t{1} << 53);
    const std::string what =
        "ParticleIDs: cannot be read (damaged, or not whole numbers from 0 on)";
    EXPECT_TRUE(contains(with({7, -5, 6}).refusal(), what));
    EXPECT_TRUE(contains(with({7, 2.5, 6}).refusal(), what));
    EXPECT_TRUE(contains(with({7, NAN, 6}).refusal(), what));
    EXPECT_TRUE(contains(with({7, 1e20, 6}).refusal(), what));
}

TEST(ForeignFile, OnePartOfSeveralIsRefused)
{
    const auto with = [](std::uint32_t total, int files) {
        return Foreign([&](Group &, Group &header, Group &) {
            header.put("NumPart_Total", std::array<std::uint32_t, 6>{0, total, 0, 0, 0, 0});
            if (files) header.put("NumFilesPerSnapshot", files);
        });
    };
    EXPECT_EQ(with(3, 1).read().bodies.size(), 3u);
    EXPECT_EQ(with(0, 0).read().bodies.size(), 3u);  // some programs leave it empty
    EXPECT_TRUE(contains(with(6, 2).refusal(), "a.hdf5: one of 2 files of a snapshot"));
    for (int files : {0, 1})
        EXPECT_TRUE(contains(with(6, files).refusal(),
                             "a.hdf5: has 3 of the 6 particles that NumPart_Total tells"));
}

TEST(ForeignFile, ACountThatIsNoNumberIsRefused)
{
    const Foreign file(
        [](Group &, Group &header, Group &) { header.put("MassTable", std::array<double, 6>{}); });
    {
        const Handle open(H5Fopen(file.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
        ASSERT_GE(H5Adelete_by_name(open, "Header", "NumPart_ThisFile", H5P_DEFAULT), 0);
        Group(Handle(H5Gopen2(open, "Header", H5P_DEFAULT), H5Gclose, "open"), "")
            .put("NumPart_ThisFile", std::array<double, 6>{0, NAN, 0, 0, 0, 0});
    }
    EXPECT_TRUE(contains(file.refusal(), "holds an impossible number of particles"));
}

// The scale factor of z = 127, where many simulations begin, is a power of two.
TEST(ForeignFile, AnExpandingUniverseIsNoCluster)
{
    const auto refusal = [](double time, double z, int comoving, Options options = {}) {
        const Foreign file([&](Group &root, Group &header, Group &) {
            header.put("Time", time);
            header.put("Redshift", z);
            if (comoving >= 0)
                root.create_group("Parameters").put("ComovingIntegrationOn", comoving);
        });
        if (!options.t_end) options.t_end = 2;
        Snapshot snapshot = file.read();
        snapshot.gravity = 1;
        return error_of([&] { plan(options, snapshot); });
    };
    const std::string what = "the particles are of an expanding universe, a = ";
    EXPECT_TRUE(contains(refusal(1.0 / 128, 127, -1), what + "0.0078125: give --cosmology"));
    EXPECT_TRUE(contains(refusal(1.0 / 128, 127, 1), what));
    EXPECT_TRUE(contains(refusal(1, 0, 1), what));
    Options ends;
    ends.t_end = 0x1p-20;  // before the scale factor, were it a time
    EXPECT_TRUE(contains(refusal(1.0 / 128, 127, 1, ends), what));
    EXPECT_EQ(refusal(1, 0, 0), "");
    EXPECT_EQ(refusal(1, 0, -1), "");
    EXPECT_EQ(refusal(0.5, 0, -1), "");
    Options begins;
    begins.t_begin = 0;
    EXPECT_EQ(refusal(1.0 / 128, 127, 1, begins), "");
}

// ---- units and gravity --------------------------------------------------------------------------

// Groups and their attributes, in which a file tells its units.
struct Attribute {
    const char *group, *name;
    double value;
};
using Attributes = std::vector<Attribute>;

Snapshot told(const Attributes &attributes)
{
    return Foreign([&](Group &root, Group &, Group &) {
               std::set<std::string> groups = {"Header"};
               for (const Attribute &a : attributes) {
                   const std::string group = a.group;
                   const std::size_t slash = group.find('/');
                   if (slash != std::string::npos && groups.insert(group.substr(0, slash)).second)
                       root.create_group(group.substr(0, slash));
                   if (groups.insert(group).second) root.create_group(group);
                   root.group(group).put(a.name, a.value);
               }
           })
        .read();
}

Attributes gadget(const char *group, double length, double mass, double velocity)
{
    return {{group, "UnitLength_in_cm", length},
            {group, "UnitMass_in_g", mass},
            {group, "UnitVelocity_in_cm_per_s", velocity}};
}

Attributes swift(double length, double mass, double time)
{
    return {{"Units", "Unit length in cgs (U_L)", length},
            {"Units", "Unit mass in cgs (U_M)", mass},
            {"Units", "Unit time in cgs (U_t)", time}};
}

Attributes both(Attributes first, const Attributes &second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

TEST(ForeignFile, UnitsWithAnotherGravityAreNamed)
{
    const std::string text = wrong_gravity(told(gadget("Units", 3.085678e21, 1.989e43, 1e5)));
    EXPECT_TRUE(contains(text, "the units that the input names have G = 43021.9")) << text;
    EXPECT_TRUE(contains(text, "divide the input's velocities by 207.417")) << text;
    EXPECT_EQ(wrong_gravity(told(gadget("Units", 1, 1 / 6.6743e-8, 1))), "");

    const Folder folder;
    Snapshot own = g6run::plummer_snapshot(4, 1);
    own.state = RunState();
    own.state->settings.units = "3pc,1e4Msun";
    write_snapshot(folder / "own.hdf5", Format::kHdf5, own);
    EXPECT_EQ(wrong_gravity(read_snapshot(folder / "own.hdf5")), "");
}

TEST(ForeignFile, GravityThatDoesNotFollowEndsTheRun)
{
    const Snapshot nothing = told({});
    const std::string how = error_of([&] { plan({}, nothing); });
    EXPECT_TRUE(contains(how, "give --input-units, as --input-units pc,Msun,km/s, ")) << how;
    EXPECT_TRUE(contains(how, "or --gravity 1 where it is 1")) << how;
    const auto refusal = [](const Attributes &a) { return error_of([&] { told(a); }); };
    const std::string some = "a.hdf5: names some of its units, but not those of length, mass and ";
    Attributes lacks = gadget("Header", 1, 1, 1);
    lacks.pop_back();
    EXPECT_TRUE(contains(refusal(lacks), some + "velocity"));
    lacks = swift(1, 1, 1);
    lacks.pop_back();
    EXPECT_TRUE(contains(refusal(lacks), some + "time"));
    EXPECT_TRUE(contains(refusal(gadget("Units", 0, 1, 1)), "Units/UnitLength_in_cm 0 is no unit"));
    EXPECT_TRUE(contains(refusal(gadget("Units", 1, -1, 1)), "UnitMass_in_g -1 is no unit"));
    EXPECT_TRUE(contains(refusal(gadget("Units", 1, NAN, 1)), "UnitMass_in_g is not finite"));
    EXPECT_TRUE(contains(refusal({{"Parameters", "GravityConstantInternal", -1}}),
                         "has a constant of gravity of -1, which cannot be"));
    EXPECT_TRUE(contains(refusal(both(gadget("Units", 1, 1, 1), gadget("Header", 2, 1, 1))),
                         "Header/UnitLength_in_cm is 2, but another group has 1"));
}

// Speeds go with the root of G where lengths and masses stay, and times with its inverse.
TEST(ForeignFile, TheOptionForGravityMakesItOne)
{
    const Foreign file([](Group &, Group &header, Group &) { header.put("Time", 0.25); });
    {
        const Handle open(H5Fopen(file.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "open");
        const Handle v(H5Dopen2(open, "PartType1/Velocities", H5P_DEFAULT), H5Dclose, "open");
        const double values[9] = {2, 4, 6, 8, 10, 12, 14, 16, 18};
        ASSERT_GE(H5Dwrite(v, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    }
    Options options;
    options.input = file.path;
    options.gravity = 4;
    const Snapshot s = initial_conditions(options);
    EXPECT_EQ(s.bodies[1].v[2], 6);
    EXPECT_EQ(s.time, 0.5);
    EXPECT_EQ(error_of([&] { plan(options, s); }), "");
    options.gravity = -4;
    EXPECT_TRUE(contains(error_of([&] { initial_conditions(options); }), "must be positive"));
    const Foreign other([](Group &root, Group &, Group &) {
        root.create_group("Parameters").put("GravityConstantInternal", 5.0);
    });
    options = {};
    options.input = other.path;
    options.gravity = 4;
    EXPECT_TRUE(contains(error_of([&] { initial_conditions(options); }),
                         "--gravity 4 is not that of the input, 5"));
}

// Types follow each other, and in each of them the files.
TEST(ForeignFile, FilesOfOneSnapshotAreJoined)
{
    const Folder folder;
    const auto write = [&](int part, double time) {
        const std::string path = folder / ("a." + std::to_string(part) + ".hdf5");
        std::filesystem::remove(path);
        Group file = create_hdf5(path);
        Group header = file.create_group("Header");
        const auto n = static_cast<std::uint32_t>(part);  // the first file has none of type 1
        header.put("NumPart_ThisFile", std::array<std::uint32_t, 6>{0, n, 1, 0, 0, 0});
        header.put("NumPart_Total", std::array<std::uint32_t, 6>{0, 3, 3, 0, 0, 0});
        header.put("MassTable", std::array<double, 6>{0, 1, 1, 0, 0, 0});
        header.put("NumFilesPerSnapshot", 3);
        header.put("Time", time);
        for (const auto &[type, count] : {std::pair{1, n}, std::pair{2, 1u}}) {
            if (count == 0) continue;
            Group group = file.create_group("PartType" + std::to_string(type));
            group.write("Coordinates", std::vector<double>(3 * count, 10 * type + part), 3);
            group.write("Velocities", std::vector<double>(3 * count, 0), 3);
        }
    };
    for (int part = 0; part < 3; part++) write(part, 0.5);
    for (const char *name : {"a", "a.0.hdf5", "a.2.hdf5"}) {
        const Snapshot s = read_snapshot(folder / name);
        ASSERT_EQ(s.bodies.size(), 6u) << name;
        const double expected[] = {11, 12, 12, 20, 21, 22};
        for (std::size_t k = 0; k < 6; k++) EXPECT_EQ(s.bodies[k].x[0], expected[k]) << name;
        EXPECT_EQ(s.time, 0.5);
        EXPECT_EQ(s.types, (TypeCounts{0, 3, 3, 0, 0, 0}));
    }
    const auto refusal = [&] { return error_of([&] { read_snapshot(folder / "a.0.hdf5"); }); };
    write(2, 0.75);
    EXPECT_TRUE(contains(refusal(), "a.2.hdf5: its Time or NumFilesPerSnapshot is not that of"));
    std::filesystem::remove(folder / "a.2.hdf5");
    EXPECT_TRUE(contains(refusal(), "a.2.hdf5: no such file"));
}

}  // namespace
