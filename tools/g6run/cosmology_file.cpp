// SPDX-License-Identifier: MIT
// Writes and reads the header, the particles and the state of a cosmological run, and refuses a
// file whose numbers no run can have.
#include "cosmology_file.h"

#include "error.h"
#include "hdf5_file.h"

#include "../common/parallel.h"
#include "../common/text.h"

#include <algorithm>
#include <cmath>

namespace g6run {
namespace {

constexpr const char *kGroup = "G6cosmology";
constexpr int kVersion = 2;
constexpr const char *kWorstTotal = "MaxTotalEnergyError";  // which some files lack
constexpr std::size_t kPart = 1024;  // particles that one thread copies at a time

// Calls visit("Name", member) for all numbers and texts.
template <class State, class Visit> void visit_cosmic_numbers(State &s, Visit &&visit)
{
    auto &set = s.settings;
    visit("Omega0", set.cosmology.omega_m);
    visit("OmegaLambda", set.cosmology.omega_l);
    visit("HubbleParam", set.cosmology.h);
    visit("Gravity", set.gravity);
    visit("BeginScaleFactor", set.a_begin);
    visit("EndScaleFactor", set.a_end);
    visit("Steps", set.steps);
    visit("Softening", set.eps);
    visit("SofteningComovingUntil", set.eps_until);
    visit("InputBoxSize", set.box);
    visit("TableInterval", set.table_every);
    visit("SnapshotInterval", set.snapshot_every);
    visit("OpeningAngle", set.theta);
    visit("GroupSize", set.group);
    visit("MaxAllowedEnergyError", set.max_error);
    visit("StepsDone", s.step);
    visit("Snapshots", s.snapshots);
    visit("Interactions", s.interactions);
    visit("MaxEnergyError", s.worst);
    visit_energy_numbers(s.energy, visit);
}
template <class State, class Visit> void visit_cosmic_texts(State &s, Visit &&visit)
{
    visit("StepIn", s.settings.step_in);
    visit("Method", s.settings.method);
    visit("Precision", s.settings.precision);
    visit("Mode", s.settings.mode);
    visit("Multipole", s.settings.multipole);
    visit("OpeningCriterion", s.settings.mac);
}

// The unit of a data set: its text, its size in cgs, and the exponents of a and h in it.
struct Dimension {
    const char *text;
    double cgs, a, h;
};
constexpr Dimension kLength = {"[U_L]", kCmPerKpc, 1, -1};
constexpr Dimension kVelocity = {"[U_V]", 1e5, 0.5, 0};
constexpr Dimension kMass = {"[U_M]", kGramsPerMass, 0, -1};
constexpr Dimension kNumber = {"[1]", 1, 0, 0};
// a^2 dx/dt = a v, so that v is this over a; acceleration over G, of mass / length^2.
constexpr Dimension kMomentum = {"[U_V]", 1e5, -1, 0};
constexpr Dimension kPull = {"[U_M U_L^-2 ]", kGramsPerMass / (kCmPerKpc * kCmPerKpc), -2, 1};

void describe(Group &group, const char *name, const Dimension &d)
{
    Group data = group.data(name);
    data.put("VarDescription", std::string(name) + " " + d.text);
    data.put("CGSConversionFactor", d.cgs);
    data.put("aexp-scale-exponent", d.a);
    data.put("h-scale-exponent", d.h);
}

template <class Rows>
void write(Group &group, const char *name, const Rows &rows, const Dimension &dimension)
{
    group.write(name, rows);
    describe(group, name, dimension);
}

// The side of the input's box, or of a larger one, a power of two, if particles have left the box.
double box_around(const std::vector<Vector> &x, double box)
{
    double farthest = 0;
    for (const Vector &p : x)
        for (double c : p) farthest = std::max(farthest, std::fabs(c));
    if (farthest < box / 2) return box;
    int exponent = 0;
    std::frexp(1.01 * farthest, &exponent);
    return std::ldexp(2.0, exponent);
}

void put_cosmology(Group &group, const CosmicSettings &s, double box)
{
    group.put("BoxSize", box);
    group.put("Omega0", s.cosmology.omega_m);
    group.put("OmegaLambda", s.cosmology.omega_l);
    group.put("HubbleParam", s.cosmology.h);
}

void put_units(Group group, const std::string &description)
{
    group.put("UnitLength_in_cm", kCmPerKpc);
    group.put("UnitMass_in_g", kGramsPerMass);
    group.put("UnitVelocity_in_cm_per_s", 1e5);
    group.put("UnitTime_in_s", kTimeUnitSeconds);
    group.put("Description", description);
}

// The mass of a particle if all masses are equal, else 0.
double common_mass(const std::vector<double> &mass)
{
    const bool equal =
        std::all_of(mass.begin(), mass.end(), [&](double m) { return m == mass[0]; });
    return equal ? mass[0] : 0;
}

void write_header(Group header, const CosmicSnapshot &s, double box, double mass)
{
    const std::uint64_t n = s.particles.size();
    std::array<std::uint32_t, 6> low{}, high{};
    low[1] = static_cast<std::uint32_t>(n);
    high[1] = static_cast<std::uint32_t>(n >> 32);
    header.put("NumPart_ThisFile", low);
    header.put("NumPart_Total", low);
    header.put("NumPart_Total_HighWord", high);
    header.put("MassTable", std::array<double, 6>{0, mass, 0, 0, 0, 0});
    const Cosmology &c = s.state.settings.cosmology;
    header.put("Time", s.a);
    header.put("Redshift", redshift(s.a));
    header.put("Time_GYR", c.gyr(c.age(s.a)));
    put_cosmology(header, s.state.settings, box);
    header.put("NumFilesPerSnapshot", 1);
    for (const char *flag : {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals",
                             "Flag_Feedback", "Flag_Entropy_ICs"})
        header.put(flag, 0);
    header.put("Flag_DoublePrecision", 1);
}

void write_particles(Group group, const CosmicSnapshot &s, double box, double mass)
{
    const Particles &p = s.particles;
    const double to_file = 1 / (s.a * std::sqrt(s.a));
    std::vector<Vector> rows(p.size());
    const auto fill = [&](auto &&value) {
        g6tools::parallel_for(rows.size(), kPart, [&](std::size_t k) {
            for (std::size_t d = 0; d < 3; d++) rows[k][d] = value(k, d);
        });
    };
    fill([&](std::size_t k, std::size_t d) { return p.x[k][d] + box / 2; });
    write(group, "Coordinates", rows, kLength);
    fill([&](std::size_t k, std::size_t d) { return p.p[k][d] * to_file; });
    write(group, "Velocities", rows, kVelocity);
    if (mass == 0) {
        group.write("Masses", p.mass, 1);
        describe(group, "Masses", kMass);
    }
    write(group, "ParticleIDs", p.id, kNumber);
    write(group, "Position", p.x, kLength);
    write(group, "Momentum", p.p, kMomentum);
    write(group, "Acceleration", p.acc, kPull);
}

void read_vectors(const Group &group, const char *name, std::vector<Vector> &rows)
{
    const std::vector<double> values = group.read(name, rows.size(), 3);
    g6tools::parallel_for(rows.size(), kPart, [&](std::size_t k) {
        for (std::size_t d = 0; d < 3; d++) rows[k][d] = values[3 * k + d];
    });
}

void check_particles(const Particles &p, const std::vector<Vector> &boxed, double box,
                     const std::string &path)
{
    for (std::size_t k = 0; k < p.size(); k++) {
        bool good = std::isfinite(p.mass[k]) && p.mass[k] > 0, moved = false;
        for (std::size_t d = 0; d < 3; d++) {
            good = good && std::isfinite(p.x[k][d] + p.p[k][d] + p.acc[k][d]);
            moved = moved || boxed[k][d] != p.x[k][d] + box / 2;
        }
        if (!good)
            throw Error(g6tools::text("%s: particle %zu: a value is not finite, or the mass is not "
                                      "positive",
                                      path.c_str(), k + 1));
        if (moved)
            throw Error(path +
                        ": Coordinates is not Position + BoxSize/2: one of them was changed; "
                        "give the file to --input, without Position");
    }
}

bool is_whole(double value, double least, double most)
{
    return value >= least && value <= most && value == std::floor(value);
}

// Refuses numbers that no run can have: somebody may have changed them, or the file is damaged.
void check_state(const CosmicState &state, double a, const std::string &path)
{
    const CosmicSettings &s = state.settings;
    const bool good = is_whole(s.steps, 1, 1e7) && is_whole(state.step, 0, s.steps) &&
                      is_whole(state.snapshots, 0, 1e9) && is_whole(s.table_every, 1, 1e7) &&
                      is_whole(s.snapshot_every, 0, 1e7) && is_whole(s.group, 0, 1e9) &&
                      s.cosmology.omega_m > 0 && s.cosmology.h > 0 && s.gravity > 0 && s.eps > 0 &&
                      s.eps_until > 0 && s.a_begin > 0 && s.a_end > s.a_begin && a >= s.a_begin &&
                      a <= s.a_end && (s.method == "treewalk" || s.method == "treecode") &&
                      (s.step_in == "time" || s.step_in == "a" || s.step_in == "loga");
    if (!good) throw Error(path + ": its group " + kGroup + " holds what no run has");
}

CosmicState read_state(const Group &file, const std::string &path)
{
    const Group group = file.group(kGroup);
    if (group.number("Version") != kVersion)
        throw Error(path + ": written by another version of g6run");
    CosmicState state;
    visit_cosmic_numbers(state,
                         [&](const char *name, double &value) { value = group.number(name); });
    visit_cosmic_texts(state,
                       [&](const char *name, std::string &value) { value = group.text(name); });
    if (group.has_attribute(kWorstTotal)) state.worst_total = group.number(kWorstTotal);
    if (group.has_attribute("OutputRedshifts"))
        state.settings.outputs = group.numbers("OutputRedshifts");
    return state;
}

}  // namespace

bool is_cosmic_snapshot(const std::string &path)
{
    return is_hdf5(path) && open_hdf5(path).has_group(kGroup);
}

CosmicSnapshot read_cosmic_snapshot(const std::string &path)
{
    const Group file = open_hdf5(path), header = file.group("Header");
    CosmicSnapshot s;
    s.state = read_state(file, path);
    s.a = header.number("Time");
    check_state(s.state, s.a, path);
    const std::vector<double> counts = header.numbers("NumPart_ThisFile");
    const std::vector<double> masses = header.numbers("MassTable");
    if (counts.size() < 2 || masses.size() < 2 || !(counts[1] >= 2 && counts[1] < 0x1p31))
        throw Error(path + ": its header holds an impossible number of particles");
    const auto n = static_cast<std::size_t>(counts[1]);
    const Group group = file.group("PartType1");
    Particles &p = s.particles;
    p.resize(n);
    std::vector<Vector> boxed(n);
    read_vectors(group, "Coordinates", boxed);
    read_vectors(group, "Position", p.x);
    read_vectors(group, "Momentum", p.p);
    read_vectors(group, "Acceleration", p.acc);
    p.id = group.read_ids("ParticleIDs", n);
    if (masses[1] > 0)
        std::fill(p.mass.begin(), p.mass.end(), masses[1]);
    else
        p.mass = group.read("Masses", n, 1);
    check_particles(p, boxed, header.number("BoxSize"), path);
    return s;
}

void write_cosmic_snapshot(const std::string &path, const CosmicSnapshot &s)
{
    const double box = box_around(s.particles.x, s.state.settings.box);
    const double mass = common_mass(s.particles.mass);
    Group file = create_hdf5(path);
    write_header(file.create_group("Header"), s, box, mass);
    put_units(file.create_group("Units"), "comoving kpc/h, 1e10 Msun/h, km/s sqrt(a)");
    Group parameters = file.create_group("Parameters");
    put_cosmology(parameters, s.state.settings, box);
    parameters.put("ComovingIntegrationOn", 1);
    write_particles(file.create_group("PartType1"), s, box, mass);
    Group group = file.create_group(kGroup);
    group.put("Version", kVersion);
    visit_cosmic_numbers(s.state,
                         [&](const char *name, const double &value) { group.put(name, value); });
    visit_cosmic_texts(s.state,
                       [&](const char *name, const std::string &value) { group.put(name, value); });
    group.put(kWorstTotal, s.state.worst_total);
    if (!s.state.settings.outputs.empty()) group.put("OutputRedshifts", s.state.settings.outputs);
    file.flush();
}

}  // namespace g6run
