// SPDX-License-Identifier: MIT
// Initial conditions of a cosmological run from right and wrong files.
#include "g6run_universe.h"
#include "tools/g6run/cosmology_input.h"

#include <filesystem>
#include <map>
#include <set>

namespace {

using namespace g6run;
using namespace g6runtest;
using CosmicInputFile = InFolder;

CosmicInput read(const std::string &path, const std::string &sphere = "10Mpc/h",
                 const std::string &centre = "")
{
    return read_cosmic_input({path, std::nullopt, std::nullopt, sphere, centre});
}

std::string refused(const std::string &path, const std::string &sphere = "10Mpc/h")
{
    return error_of([&] { read(path, sphere); });
}

void put(Group &group, const std::map<const char *, double> &numbers)
{
    for (const auto &[name, number] : numbers) group.put(name, number);
}

const std::map<const char *, double> kUnits{{"UnitLength_in_cm", 3.085678e24},
                                            {"UnitMass_in_g", 1.989e43},
                                            {"UnitVelocity_in_cm_per_s", 1e5}};

// ---- units and the cut -------------------------------------------------------------------------

// All within the radius of the middle and no others, at their places, with p = a v = a^1.5 u.
TEST_F(CosmicInputFile, is_the_sphere_about_the_boxs_middle)
{
    const Universe u;
    write_universe(path, u);
    const CosmicInput in = read(path);
    std::size_t found = 0;
    const double a = 1 / 50.0;
    for (std::size_t k = 0; k < u.size(); k++) {
        const Vector x = u.from_middle(k);
        if (square(x) > 1e8) continue;
        ASSERT_LT(found, in.particles.size());
        EXPECT_EQ(in.particles.id[found], 1000 + k);
        for (std::size_t d = 0; d < 3; d++) {
            EXPECT_NEAR(in.particles.x[found][d], x[d], 1e-9);
            EXPECT_NEAR(in.particles.p[found][d], std::pow(a, 1.5) * u.u(k)[d], 1e-15);
        }
        found++;
    }
    EXPECT_EQ(found, in.particles.size());
    EXPECT_GT(found, 40u);
    EXPECT_EQ(in.a, 1 / 50.0);
    EXPECT_EQ(in.box, 50e3);
    EXPECT_EQ(in.cosmology.omega_m, 0.3);
    EXPECT_NEAR(in.mean_density, 1, 1e-12);
    EXPECT_NEAR(in.gravity, kGravity, 1e-6);
}

// The same universe with its header in /Parameters, as Gadget-4 writes it, and by SWIFT: without h
// in lengths and masses, with v = sqrt(a) u for u, three sides of the box, and a Time that is none.
// It is the same in several files, too, and in kpc/h, which the mean density tells from Mpc/h.
TEST_F(CosmicInputFile, of_all_families_and_of_several_files_is_the_same)
{
    const Universe u;
    write_universe(folder / "gadget2.hdf5", u);
    write_universe(folder / "gadget4.hdf5", u, [&](Group &header) {
        header.put("Time", 0.02);
        header.put("Redshift", u.z);
    });
    const auto open_again = [&](const char *name) { return Group(reopened(folder / name), ""); };
    {
        Group file = open_again("gadget4.hdf5");
        Group parameters = file.create_group("Parameters");
        put(parameters, kUnits);
        put(parameters, {{"ComovingIntegrationOn", 1}, {"Omega0", 0.3}, {"OmegaLambda", 0.7}});
        put(parameters, {{"HubbleParam", 0.7}, {"GravityConstantInternal", 0}});
    }
    Universe free = u;
    free.box /= 0.7;
    free.unit *= 0.7;
    free.mass_factor /= 0.7;
    free.speed_factor = std::sqrt(0.02);
    free.no_box = true;
    write_universe(folder / "swift.hdf5", free, [&](Group &header) {
        header.put("Time", std::vector<double>{1.7e-5});
        header.put("Redshift", std::vector<double>{49});
        header.put("Scale-factor", std::vector<double>{0.02});
        header.put("BoxSize", std::vector<double>(3, free.box));
    });
    {
        Group file = open_again("swift.hdf5");
        Group cosmology = file.create_group("Cosmology"), units = file.create_group("Units");
        cosmology.put("Cosmological run", std::vector<double>{1});
        cosmology.put("Omega_m", std::vector<double>{0.3});
        cosmology.put("Omega_lambda", std::vector<double>{0.7});
        cosmology.put("h", std::vector<double>{0.7});
        units.put("Unit length in cgs (U_L)", std::vector<double>{3.08567758e24});
        units.put("Unit mass in cgs (U_M)", std::vector<double>{1.98841e43});
        units.put("Unit time in cgs (U_t)", std::vector<double>{3.08567758e19});
    }
    write_parts(folder / "many", u, 4);
    Universe small = u;
    small.box = 50e3;
    small.unit = 1;
    write_universe(folder / "kpc.hdf5", small);
    const CosmicInput first = read(folder / "gadget2.hdf5");
    for (const char *name :
         {"gadget4.hdf5", "swift.hdf5", "kpc.hdf5", "many", "many.0.hdf5", "many.2.hdf5"}) {
        const CosmicInput in = read(folder / name);
        ASSERT_EQ(in.particles.id, first.particles.id) << name;
        for (std::size_t k = 0; k < in.particles.size(); k++) {
            EXPECT_NEAR(in.particles.mass[k] / first.particles.mass[k], 1, 1e-12) << name;
            for (std::size_t d = 0; d < 3; d++) {
                EXPECT_NEAR(in.particles.x[k][d], first.particles.x[k][d], 1e-8) << name;
                EXPECT_NEAR(in.particles.p[k][d], first.particles.p[k][d], 1e-12) << name;
            }
        }
        EXPECT_EQ(in.a, 0.02);
        EXPECT_NEAR(in.box, 50e3, 1e-8);
        EXPECT_EQ(in.cosmology.omega_l, 0.7);
    }
}

// The sphere about the box's corner takes from eight corners.
TEST_F(CosmicInputFile, cuts_through_the_periodic_boundary)
{
    const Universe u;
    write_universe(path, u);
    const CosmicInput in = read(path, "10Mpc/h", "0,0,0");
    std::set<int> octants;
    for (const Vector &x : in.particles.x) {
        EXPECT_LE(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 1e8);
        octants.insert((x[0] > 0) + 2 * (x[1] > 0) + 4 * (x[2] > 0));
    }
    EXPECT_EQ(octants.size(), 8u);
}

TEST_F(CosmicInputFile, counts_lengths_in_comoving_mpc)
{
    EXPECT_DOUBLE_EQ(comoving_length("--sphere", "45Mpc", 0.7), 31500);
    EXPECT_DOUBLE_EQ(comoving_length("--sphere", "45", 0.7), 31500);
    EXPECT_DOUBLE_EQ(comoving_length("--sphere", "30Mpc/h", 0.7), 30000);
    EXPECT_DOUBLE_EQ(comoving_length("--eps", "4kpc", 0.7), 2.8);
    EXPECT_DOUBLE_EQ(comoving_length("--eps", "4kpc/h", 0.7), 4);
    expect_error("--eps: '4ly' is no length", [] { comoving_length("--eps", "4ly", 0.7); });
}

TEST_F(CosmicInputFile, takes_masses_from_a_block_too)
{
    Universe u;
    write_universe(folder / "table.hdf5", u);
    u.mass_block = true;
    u.ids = false;
    write_universe(folder / "block.hdf5", u);
    const CosmicInput table = read(folder / "table.hdf5"), block = read(folder / "block.hdf5");
    EXPECT_EQ(table.particles.mass, block.particles.mass);
    EXPECT_EQ(table.particles.id[0], 1000 + block.particles.id[0]);
}

// ---- refusals -----------------------------------------------------------------------------------

TEST_F(CosmicInputFile, of_other_particles_is_refused)
{
    const auto with = [](const std::vector<double> &counts) {
        const Folder folder;
        create_hdf5(folder / "a.hdf5").create_group("Header").put("NumPart_ThisFile", counts);
        return refused(folder / "a.hdf5");
    };
    expect_in("holds 8 particles of PartType0 (gas)", with({8, 8, 0, 0, 0, 0}));
    expect_in("PartType5 (boundary or black hole)", with({0, 8, 0, 0, 0, 8}));
    expect_in("PartType6 (unknown)", with({0, 8, 0, 0, 0, 0, 8}));
    for (const auto &counts : {std::vector<double>{0}, {0, NAN}, {0, -1}, {0, 2e12}})
        expect_in("an impossible number of particles", with(counts));
}

TEST_F(CosmicInputFile, without_fields_of_the_header_is_refused_until_the_line_has_them)
{
    write_universe(path, Universe{}, [](Group &) {});
    expect_in("no Omega0: give --cosmology", refused(path));
    InputRequest request{folder / "some", Cosmology{0.3, 0.7, 0.7}, std::nullopt, "10Mpc/h", ""};
    write_universe(request.path, Universe{}, [](Group &h) {
        put(h, {{"Omega0", 0.3}, {"HubbleParam", 0.7}});
    });
    expect_in("no OmegaLambda: give --cosmology", refused(request.path));
    expect_error("neither Redshift nor Time", [&] { read_cosmic_input(request); });
    request.z_begin = 49;
    EXPECT_DOUBLE_EQ(read_cosmic_input(request).a, 0.02);
    request.cosmology->h = 0.6;
    expect_error("is not that of", [&] { read_cosmic_input(request); });
    Group(reopened(request.path), "").create_group("Cosmology").put("w_0", -0.9);
    expect_in("its dark energy has w_0 = -0.9 and w_a = 0", refused(request.path));
    Group(reopened(request.path), "").group("Header").put("OmegaLambda", 0.0);  // no dark energy
    request.cosmology = Cosmology{0.3, 0, 0.7};
    EXPECT_EQ(read_cosmic_input(request).cosmology.omega_l, 0);
}

TEST_F(CosmicInputFile, that_contradicts_the_line_or_itself_is_refused)
{
    write_universe(path, Universe{});
    InputRequest request{path, Cosmology{0.26, 0.74, 0.7}, std::nullopt, "10Mpc/h", ""};
    expect_error("is not that of", [&] { read_cosmic_input(request); });
    request.cosmology.reset();
    request.z_begin = 20;
    expect_error("is at z = 49", [&] { read_cosmic_input(request); });
}

TEST_F(CosmicInputFile, with_missing_or_strange_parts_is_refused)
{
    write_parts(folder / "many", Universe{}, 3);
    std::filesystem::rename(folder / "many.1.hdf5", folder / "gone.hdf5");
    expect_in("many.1.hdf5: no such file", refused(folder / "many"));
    Universe other;
    other.z = 30;
    write_part(folder / "many.1.hdf5", other, 0, 10, 3, {});
    expect_in("its redshift or BoxSize is not that of", refused(folder / "many"));
    std::filesystem::remove(folder / "many.1.hdf5");
    write_part(folder / "many.1.hdf5", Universe{}, 0, 10, 3, {});
    expect_in("but NumPart_Total is 1728", refused(folder / "many"));
}

TEST_F(CosmicInputFile, that_cannot_be_is_refused)
{
    const auto same = [](Universe &) {};
    const struct {
        const char *words;
        std::function<void(Universe &)> change;
        Change header = {};
        const char *sphere = "10Mpc/h";
    } cases[] = {{"times that of matter", [](Universe &u) { u.mass_factor = 1e-10; }},
                 {"lies outside of the box", [](Universe &u) { u.amplitude = 100; }},
                 {"particle 1: position is not finite", [](Universe &u) { u.amplitude = NAN; }},
                 {"no particles", [](Universe &u) { u.side = 0; }},
                 {"BoxSize: the sides of the box are not equal",
                  [](Universe &u) { u.no_box = true; },
                  [](Group &header) {
                      header.put("BoxSize", std::vector<double>{50, 50, 100});
                  }},
                 {"not a cosmological file", same,
                  [](Group &header) { header.put("Time", 3.0), header.put("Redshift", 1.0); }},
                 // Without BoxSize the middle is a corner of the cube of particles.
                 {"the sphere about 0,0,0 Mpc/h has 0.1", [](Universe &u) { u.no_box = true; },
                  [](Group &header) {
                      put(header, kUnits);
                      put(header, {{"Omega0", 0.3}, {"OmegaLambda", 0.7}, {"HubbleParam", 0.7}});
                      header.put("Redshift", 49.0);
                  }},
                 {"give --sphere R", same, {}, ""},
                 {"more than the box's side", same, {}, "26Mpc/h"},
                 {"0 particles in the sphere", same, {}, "0.001kpc"}};
    for (const auto &c : cases) {
        const Folder another;
        Universe u;
        c.change(u);
        write_universe(another / "ics.hdf5", u, c.header);
        expect_in(c.words, refused(another / "ics.hdf5", c.sphere));
    }
}

}  // namespace
