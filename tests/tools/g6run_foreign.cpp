// SPDX-License-Identifier: MIT
// Gadget-style files of other programs: several files, types, units and gravity, and numbers that a
// run cannot take as they are.
#include "g6run_systems.h"
#include "tools/g6run/plan.h"
#include "tools/g6run/run_units.h"
#include "tools/g6run/start.h"

#include <filesystem>
#include <set>

namespace {

using namespace g6run;
using namespace g6runtest;

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
    expect_in(what, with({7, -5, 6}).refusal());
    expect_in(what, with({7, 2.5, 6}).refusal());
    expect_in(what, with({7, NAN, 6}).refusal());
    expect_in(what, with({7, 1e20, 6}).refusal());
}

// A type that was added by hand; some programs write empty data sets.
TEST(ForeignFile, ParticlesThatTheHeaderDoesNotCountAreRefused)
{
    const auto with = [](const std::vector<double> &x) {
        return Foreign([&](Group &root, Group &, Group &) {
            root.create_group("PartType5").write("Coordinates", x, 3);
        });
    };
    EXPECT_EQ(with({}).read().bodies.size(), 3u);
    expect_in("PartType5 has particles, of which NumPart_ThisFile counts none",
              with({1, 2, 3}).refusal());
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
    expect_in("a.hdf5: one of 2 files of a snapshot", with(6, 2).refusal());
    for (int files : {0, 1})
        expect_in("a.hdf5: has 3 of the 6 particles that NumPart_Total names",
                  with(6, files).refusal());
}

// Bodies 0 and 1 of type 1, whose mass is in the header, lie in both files, body 2 of type 4 in the
// first one.
TEST(ForeignFile, SeveralFilesAreOneSnapshotInTheOrderOfTypes)
{
    const Folder folder;
    const auto write_part = [&](int part, double time) {
        Group file = create_hdf5(folder / ("a." + std::to_string(part) + ".hdf5"));
        Group header = file.create_group("Header"), halo = file.create_group("PartType1");
        header.put("NumPart_ThisFile", std::array<double, 6>{0, 1, 0, 0, part ? 0.0 : 1.0, 0});
        header.put("NumPart_Total", std::array<double, 6>{0, 2, 0, 0, 1, 0});
        header.put("NumFilesPerSnapshot", 2);
        header.put("MassTable", std::vector<double>{0, 0.25});
        header.put("BoxSize", std::vector<double>{8, 8, 8});
        header.put("Time", time);
        halo.write("Coordinates", {part + 1.0, 2, 3}, 3);
        halo.write("Velocities", {4, 5, part + 6.0}, 3);
        if (part == 1) return;
        Group stars = file.create_group("PartType4");
        stars.write("Coordinates", {7, 7, 7}, 3);
        stars.write("Velocities", {0, 0, 0}, 3);
        stars.write("Masses", {0.5}, 1);
    };
    write_part(0, 0.5), write_part(1, 0.5);
    for (const char *name : {"a", "a.0.hdf5", "a.1.hdf5"}) {
        const Snapshot s = read_snapshot(folder / name);
        EXPECT_EQ(s.types, (TypeCounts{0, 2, 0, 0, 1, 0})) << name;
        ASSERT_EQ(s.bodies.size(), 3u);
        for (std::size_t k = 0; k < 3; k++) {
            EXPECT_EQ(s.bodies[k].mass, k < 2 ? 0.25 : 0.5);
            EXPECT_EQ(s.bodies[k].x[0], k < 2 ? double(k) + 1 : 7);
            EXPECT_EQ(s.bodies[k].v[2], k < 2 ? double(k) + 6 : 0);
        }
    }
    std::filesystem::remove(folder / "a.1.hdf5");
    expect_error("a.1.hdf5: no such file", [&] { read_snapshot(folder / "a"); });
    write_part(1, 0.75);
    expect_error("its Time or NumFilesPerSnapshot is not that of",
                 [&] { read_snapshot(folder / "a"); });
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
    expect_in(what + "0.0078125: give --cosmology", refusal(1.0 / 128, 127, -1));
    expect_in(what, refusal(1.0 / 128, 127, 1));
    expect_in(what, refusal(1, 0, 1));
    Options ends;
    ends.t_end = 0x1p-20;  // before the scale factor, were it a time
    expect_in(what, refusal(1.0 / 128, 127, 1, ends));
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

Attributes both(Attributes first, const Attributes &second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// The units of 2 cm, 3 g and 5 cm/s by the names of each family of codes.  A constant of gravity
// that the file names and that is not zero comes first.
TEST(ForeignFile, GravityFollowsFromTheUnitsOfEachFamily)
{
    const double cgs = 6.6743e-8, own = cgs * 3 / (2 * 5 * 5);
    const Attributes gadget4 = gadget("Parameters", 2, 3, 5),
                     gizmo = {{"Header", "UnitLength_In_CGS", 2},
                              {"Header", "UnitMass_In_CGS", 3},
                              {"Header", "UnitVelocity_In_CGS", 5}},
                     swift = {{"Units", "Unit length in cgs (U_L)", 2},
                              {"Units", "Unit mass in cgs (U_M)", 3},
                              {"Units", "Unit time in cgs (U_t)", 0.4}};
    const Attribute none = {"Parameters", "GravityConstantInternal", 0};
    const std::pair<Attributes, double> cases[] = {
        {gadget("Units", 2, 3, 5), own},
        {gadget("Header", 2, 3, 5), own},
        {gadget4, own},
        {gizmo, own},
        {swift, own},
        {both(gadget4, {none}), own},
        {both(gadget4, {{"Parameters", "GravityConstantInternal", 43007.1}}), 43007.1},
        {{{"Units", "UnitLength_in_cm", 2}, {"Parameters", "GravityConstantInternal", 5}}, 5},
        {both(gizmo, {{"Header", "Gravitational_Constant_In_Code_Inits", 0.5}}), 0.5},
        {both(swift, {{"PhysicalConstants/CGS", "newton_G", 2 * cgs}}), 2 * own}};
    for (const auto &[attributes, gravity] : cases) {
        const Snapshot s = told(attributes);
        ASSERT_TRUE(s.gravity);
        EXPECT_NEAR(*s.gravity / gravity, 1, 1e-12) << attributes[0].name;
    }
    for (const Attributes &whole : {gadget4, gizmo, swift})
        for (std::size_t k = 0; k < 3; k++) {
            Attributes part = whole;
            part.erase(part.begin() + static_cast<std::ptrdiff_t>(k));
            expect_error("names some of its units", [&] { told(part); });
            for (double wrong : {-1.0, double(NAN), HUGE_VAL}) {
                Attributes bad = whole;
                bad[k].value = wrong;
                expect_error(whole[k].name, [&] { told(bad); });
            }
        }
}

// As --input-units would name them, which other units contradict though their G is the same: 8
// times the mass and 2 times the velocity at 2 times the length.
TEST(ForeignFile, UnitsOfTheFileAreThoseOfItsNumbers)
{
    const auto units = [](const Attributes &a) { return told(a).units; };
    const Attributes own = gadget("Units", 2, 3, 5);
    const char *const list = "2cm,3g,5cm/s";
    EXPECT_EQ(units(own), list);
    EXPECT_EQ(units(both(own, {{"Header", "HubbleParam", 1}})), list);
    EXPECT_EQ(units({{"Units", "Unit length in cgs (U_L)", 2},
                     {"Units", "Unit mass in cgs (U_M)", 3},
                     {"Units", "Unit time in cgs (U_t)", 0.4},
                     {"Header", "HubbleParam", 0.7}}),
              list);
    EXPECT_EQ(units(both(own, {{"Header", "HubbleParam", 0.7}})), "");
    EXPECT_EQ(units(both(own, {{"Parameters", "GravityConstantInternal", 1}})), "");
    EXPECT_EQ(units(gadget("Units", 3.0857e18, 1.9884e33, 6558.2)), "");  // 1 pc, 1 Msun, G = 1
    EXPECT_EQ(units({}), "");
    Options o;
    o.input_units = "4cm,24g,10cm/s";
    Snapshot s = told(own);
    use_units(o, nullptr);
    expect_error(std::string("are not those that the input names: ") + list,
                 [&] { convert_input(o, s); });
}

TEST(ForeignFile, GravityThatDoesNotFollowEndsTheRun)
{
    const Snapshot nothing = told({});
    const std::string how = error_of([&] { plan({}, nothing); });
    expect_in("give --input-units, as --input-units pc,Msun,km/s, ", how);
    expect_in("or --gravity 1 where G is 1", how);
    const Snapshot other = told({{"Parameters", "GravityConstantInternal", 5}});
    expect_error(": in its units G is 5, and in a run 1: give --gravity 5, ",
                 [&] { plan({}, other); });
    EXPECT_EQ(error_of([&] {
                  plan({}, told({{"Parameters", "GravityConstantInternal", 1}}));
              }),
              "");
    const auto refusal = [](const Attributes &a) { return error_of([&] { told(a); }); };
    expect_in("has a constant of gravity of -1, which cannot be",
              refusal({{"Parameters", "GravityConstantInternal", -1}}));
    expect_in("Header/UnitLength_in_cm is 2, but another group has 1",
              refusal(both(gadget("Units", 1, 1, 1), gadget("Header", 2, 1, 1))));
}

// Speeds go with the root of G where lengths and masses stay, and times with its inverse.
TEST(ForeignFile, TheOptionForGravityMakesItOne)
{
    const Foreign file([](Group &, Group &header, Group &) { header.put("Time", 0.25); });
    overwrite(file.path, "PartType1/Velocities", {2, 4, 6, 8, 10, 12, 14, 16, 18});
    Options options;
    options.input = file.path;
    options.gravity = 4;
    const Snapshot s = initial_conditions(options);
    EXPECT_EQ(s.bodies[1].v[2], 6);
    EXPECT_EQ(s.time, 0.5);
    EXPECT_EQ(error_of([&] { plan(options, s); }), "");
    options.gravity = -4;
    expect_error("must be positive", [&] { initial_conditions(options); });
    const Foreign other([](Group &root, Group &, Group &) {
        Group units = root.create_group("Units");
        for (const Attribute &a : gadget("Units", 1, 1, 1)) units.put(a.name, a.value);
    });
    options = {};
    options.input = other.path;
    options.gravity = 4;
    expect_error("--gravity 4 is not that of the input, 6.6743e-08",
                 [&] { initial_conditions(options); });
    options.gravity = 1;  // the numbers are in units that the file does not know
    const Snapshot as_it_is = initial_conditions(options);
    EXPECT_EQ(as_it_is.bodies[1].v[2], other.read().bodies[1].v[2]);
    EXPECT_EQ(error_of([&] { plan(options, as_it_is); }), "");
    EXPECT_EQ(as_it_is.units, "");  // --units may tell others
}

}  // namespace
