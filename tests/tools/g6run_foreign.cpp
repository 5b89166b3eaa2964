// SPDX-License-Identifier: MIT
// Gadget-style files of other programs whose numbers a run cannot take as they are.
#include "g6run_systems.h"
#include "tools/g6run/hdf5_file.h"
#include "tools/g6run/plan.h"

namespace {

using namespace g6run;
using g6runtest::error_of;
using g6runtest::Folder;

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

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
    EXPECT_TRUE(contains(with(6, 2).refusal(), "one part of a snapshot of several files"));
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
        options.t_end = 2;
        const Snapshot snapshot = file.read();
        return error_of([&] { plan(options, snapshot); });
    };
    const std::string what = "the particles are of an expanding universe, a = ";
    EXPECT_TRUE(contains(refusal(1.0 / 128, 127, -1), what + "0.0078125: give --cosmology"));
    EXPECT_TRUE(contains(refusal(1.0 / 128, 127, 1), what));
    EXPECT_TRUE(contains(refusal(1, 0, 1), what));
    EXPECT_EQ(refusal(1, 0, 0), "");
    EXPECT_EQ(refusal(1, 0, -1), "");
    EXPECT_EQ(refusal(0.5, 0, -1), "");
    Options begins;
    begins.t_begin = 0;
    EXPECT_EQ(refusal(1.0 / 128, 127, 1, begins), "");
}

// In kpc, 1e10 solar masses and km/s, the units of Gadget's examples:
//   G = 6.6743e-8 * 1.989e43 / (3.085678e21 * 1e10) = 43021.9, and its root is 207.417
TEST(ForeignFile, UnitsWithAnotherGravityAreNamed)
{
    const auto warning = [](const char *group, double length, double mass, double velocity) {
        const Foreign file([&](Group &root, Group &, Group &) {
            Group units = root.create_group(group);
            units.put("UnitLength_in_cm", length);
            units.put("UnitMass_in_g", mass);
            units.put("UnitVelocity_in_cm_per_s", velocity);
        });
        return wrong_gravity(file.read());
    };
    for (const char *group : {"Units", "Parameters"}) {
        const std::string text = warning(group, 3.085678e21, 1.989e43, 1e5);
        EXPECT_TRUE(contains(text, "the units that the input names have G = 43021.9")) << text;
        EXPECT_TRUE(contains(text, "divide the input's velocities by 207.417")) << text;
    }
    EXPECT_EQ(warning("Units", 1, 1 / 6.6743e-8, 1), "");
    EXPECT_EQ(warning("Units", 0, 1, 1), "");
    EXPECT_EQ(wrong_gravity(Foreign([](Group &, Group &, Group &) {}).read()), "");

    const Folder folder;
    Snapshot own = g6run::plummer_snapshot(4, 1);
    own.state = RunState();
    own.state->settings.units = "3pc,1e4Msun";
    write_snapshot(folder / "own.hdf5", Format::kHdf5, own);
    EXPECT_EQ(wrong_gravity(read_snapshot(folder / "own.hdf5")), "");
}

}  // namespace
