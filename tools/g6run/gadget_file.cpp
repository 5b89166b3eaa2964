// SPDX-License-Identifier: MIT
// Reads snapshots in one or several files, and writes them in one: the header, the units, the
// particles by type and the state of the run.
#include "gadget_file.h"

#include "error.h"
#include "hdf5_file.h"
#include "output_folder.h"
#include "snapshot_parts.h"
#include "told.h"
#include "units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace g6run {
namespace {

using VectorMember = double (Body::*)[3];
using NumberMember = double Body::*;

constexpr const char *kStateGroup = "G6run";
constexpr int kStateVersion = 7;
// In files of this version and of earlier ones a leapfrog has equal steps, whatever Steps says.
constexpr int kStateVersionOfEqualLeaps = 5;
constexpr int kOldestStateVersion = 3;
// Settings that files of some of these versions lack.  A g6run that does not know such a setting
// may ignore it, unless a version began with the setting, as version 7 with kEpsTypesName.
constexpr const char *kLaterNames[] = {kMaxErrorName, kUnitsName,     kTableUnitsName,
                                       kEpsTypesName, kPotentialName, kCriterionName,
                                       kMultipoleName};

constexpr const char *kBoxed = "Coordinates";  // from 0 to BoxSize
constexpr const char *kPosition = "Position";  // exact, the origin being the middle of the box

// What a data set holds: length^l mass^m time^t.
struct Dimension {
    int length, mass, time;
    const char *text;  // in the language of Gadget's attribute VarDescription
};
struct VectorColumn {
    const char *name;
    VectorMember member;
    Dimension dimension;
};
struct NumberColumn {
    const char *name;
    NumberMember member;
    Dimension dimension;
};
constexpr Dimension kLength = {1, 0, 0, "[U_L]"}, kVelocity = {1, 0, -1, "[U_V]"};
constexpr Dimension kMass = {0, 1, 0, "[U_M]"}, kTime = {0, 0, 1, "[U_T]"};
constexpr Dimension kNumber = {0, 0, 0, "[1]"};
constexpr VectorColumn kPositionColumn = {kPosition, &Body::x, kLength};
constexpr VectorColumn kVelocityColumn = {"Velocities", &Body::v, kVelocity};
constexpr NumberColumn kMassColumn = {"Masses", &Body::mass, kMass};
constexpr VectorColumn kStateVectors[] = {{"Acceleration", &Body::a, {1, 0, -2, "[U_L U_T^-2 ]"}},
                                          {"Jerk", &Body::j, {1, 0, -3, "[U_L U_T^-3 ]"}}};
constexpr NumberColumn kStateNumbers[] = {{"OwnTime", &Body::t, kTime},
                                          {"TimeStep", &Body::dt, kTime}};

std::string type_name(std::size_t type)
{
    return "PartType" + std::to_string(type);
}

// ---- reading ------------------------------------------------------------------------------------

// Number k of an attribute; 0 where there is none.
double element(const Group &header, const char *name, std::size_t k)
{
    if (!header.has_attribute(name)) return 0;
    const std::vector<double> values = header.numbers(name);
    return k < values.size() ? values[k] : 0;
}

void set_vectors(VectorMember member, const std::vector<double> &values, Body *b, std::size_t n)
{
    for (std::size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) (b[k].*member)[d] = values[3 * k + d];
}

void read_vectors(const Group &group, const VectorColumn &column, Body *b, std::size_t n)
{
    set_vectors(column.member, group.read(column.name, n, 3), b, n);
}

void read_numbers(const Group &group, const NumberColumn &column, Body *b, std::size_t n)
{
    const std::vector<double> values = group.read(column.name, n, 1);
    for (std::size_t k = 0; k < n; k++) b[k].*column.member = values[k];
}

// Reads Position where the file has it, else Coordinates.  The two must agree, because a user may
// have changed one of them.
void read_positions(const Group &group, double box, const std::string &path, Body *b, std::size_t n)
{
    const std::vector<double> boxed = group.read(kBoxed, n, 3);
    if (!group.has_data(kPosition)) return set_vectors(&Body::x, boxed, b, n);
    read_vectors(group, kPositionColumn, b, n);
    for (std::size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++)
            if (std::isfinite(b[k].x[d]) && boxed[3 * k + d] != b[k].x[d] + box / 2)
                throw Error(path + ": Coordinates is not Position + BoxSize/2: one of them was "
                                   "changed; delete Position when Coordinates is right");
}

void read_type(const Group &file, std::size_t type, bool with_state, Body *b, std::size_t n)
{
    const Group header = file.group("Header"), group = file.group(type_name(type));
    read_positions(group, element(header, "BoxSize", 0), file.path(), b, n);
    read_vectors(group, kVelocityColumn, b, n);
    // The mass of each particle of a type, 0 where they have their own.
    const double mass = element(header, "MassTable", type);
    if (mass > 0)
        for (std::size_t k = 0; k < n; k++) b[k].mass = mass;
    else
        read_numbers(group, kMassColumn, b, n);
    if (group.has_data("ParticleIDs")) {
        const std::vector<std::uint64_t> ids = group.read_ids("ParticleIDs", n);
        for (std::size_t k = 0; k < n; k++) b[k].id = ids[k];
    }
    if (!with_state) return;
    for (const VectorColumn &c : kStateVectors) read_vectors(group, c, b, n);
    for (const NumberColumn &c : kStateNumbers) read_numbers(group, c, b, n);
}

void add_counts(const Group &header, TypeCounts &types, TypeCounts &sum)
{
    const std::vector<double> numbers = header.numbers("NumPart_ThisFile");
    for (std::size_t type = 0; type < numbers.size(); type++) {
        const double n = numbers[type];
        if (!(n >= 0 && n <= std::numeric_limits<int>::max()))
            throw Error(header.path() +
                        ": NumPart_ThisFile holds an impossible number of particles");
        if (type >= types.size() && n > 0)
            throw Error(header.path() + ": more than six types of particles");
        if (type >= types.size()) continue;
        types[type] = static_cast<std::size_t>(n);
        sum[type] += types[type];
    }
    if (std::accumulate(sum.begin(), sum.end(), std::size_t{0}) > std::numeric_limits<int>::max())
        throw Error(header.path() + ": more particles than the library counts");
}

// Refuses particles that the header does not count, as those of a type that was added by hand.
void check_empty(const Group &file, std::size_t type)
{
    const std::string name = type_name(type);
    if (file.has_group(name) && file.group(name).has_values(kBoxed))
        throw Error(file.where() + name + " has particles, of which NumPart_ThisFile counts none");
}

// Refuses a file that counts the particles of several files, but does not say that it is one of
// several.
void check_total(const Group &header, const TypeCounts &types)
{
    if (!header.has_attribute("NumPart_Total")) return;
    const std::vector<double> total = header.numbers("NumPart_Total");
    for (std::size_t type = 0; type < std::min(total.size(), types.size()); type++)
        if (types[type] > 0 && total[type] > static_cast<double>(types[type]))
            throw Error(header.path() + ": has " + std::to_string(types[type]) + " of the " +
                        text_of(total[type]) +
                        " particles that NumPart_Total names; where there are more files, "
                        "NumFilesPerSnapshot must count them, and NAME.0.hdf5 be the first");
}

Group open_snapshot(const std::string &path)
{
    check_readable(path);
    Group file = open_hdf5(path);
    if (!file.has_group("Header"))
        throw Error(path + ": an HDF5 file, but no snapshot of Gadget's layout: has no group "
                           "Header");
    return file;
}

std::optional<RunState> read_state(const Group &file, const std::string &path)
{
    if (!file.has_group(kStateGroup)) return std::nullopt;
    const Group group = file.group(kStateGroup);
    const double version = group.number("Version");
    if (!(version >= kOldestStateVersion && version <= kStateVersion))
        throw Error(path + ": written by another version of g6run");
    RunState state;
    const auto is_there = [&](const std::string &name) {
        const bool later = std::count(std::begin(kLaterNames), std::end(kLaterNames), name);
        return !later || group.has_attribute(name);
    };
    visit_numbers(state, [&](const std::string &name, double &value) {
        if (is_there(name)) value = group.number(name);
        if (!std::isfinite(value)) throw Error(path + ": " + name + " of its run is not finite");
    });
    if (!(state.snapshots >= 0 && state.snapshots < 1e9))
        throw Error(path + ": it cannot be snapshot " + text_of(state.snapshots) + " of a run");
    visit_texts(state, [&](const std::string &name, std::string &value) {
        if (is_there(name)) value = group.text(name);
    });
    if (version <= kStateVersionOfEqualLeaps && state.settings.leaps())
        state.settings.steps = "shared";
    return state;
}

// ---- writing ------------------------------------------------------------------------------------

// Describes the numbers of a data set in the attributes that Gadget's descendants write, from which
// pynbody takes units.  The exponents of a and h, which cosmological files have, are zero.
void describe(Group &group, const char *name, const Dimension &dimension, const Units &units)
{
    Group data = group.data(name);
    data.put("VarDescription", std::string(name) + " " + dimension.text);
    data.put("CGSConversionFactor", std::pow(units.length, dimension.length) *
                                        std::pow(units.mass, dimension.mass) *
                                        std::pow(units.time(), dimension.time));
    data.put("aexp-scale-exponent", 0.0);
    data.put("h-scale-exponent", 0.0);
}

void write_vectors(Group &group, const VectorColumn &column, const Body *b, std::size_t n,
                   const Units &units)
{
    std::vector<double> values(3 * n);
    for (std::size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) values[3 * k + d] = (b[k].*column.member)[d];
    group.write(column.name, values, 3);
    describe(group, column.name, column.dimension, units);
}

void write_boxed(Group &group, const Body *b, std::size_t n, double box, const Units &units)
{
    std::vector<double> values(3 * n);
    for (std::size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) values[3 * k + d] = b[k].x[d] + box / 2;
    group.write(kBoxed, values, 3);
    describe(group, kBoxed, kLength, units);
}

void write_numbers(Group &group, const NumberColumn &column, const Body *b, std::size_t n,
                   const Units &units)
{
    std::vector<double> values(n);
    for (std::size_t k = 0; k < n; k++) values[k] = b[k].*column.member;
    group.write(column.name, values, 1);
    describe(group, column.name, column.dimension, units);
}

void write_type(Group group, const Body *b, std::size_t n, double box, const Units &units,
                bool with_state)
{
    write_boxed(group, b, n, box, units);
    write_vectors(group, kPositionColumn, b, n, units);
    write_vectors(group, kVelocityColumn, b, n, units);
    write_numbers(group, kMassColumn, b, n, units);
    std::vector<std::uint64_t> ids(n);
    for (std::size_t k = 0; k < n; k++) ids[k] = b[k].id;
    group.write("ParticleIDs", ids);
    describe(group, "ParticleIDs", kNumber, units);
    if (!with_state) return;
    for (const VectorColumn &c : kStateVectors) write_vectors(group, c, b, n, units);
    for (const NumberColumn &c : kStateNumbers) write_numbers(group, c, b, n, units);
}

// The side of a box that holds all coordinates, also after rounding.  It is a power of two, so that
// most snapshots of a run have the same box.
double box_around(const std::vector<Body> &bodies)
{
    double farthest = 0;
    for (const Body &b : bodies)
        for (double x : b.x) farthest = std::max(farthest, std::fabs(x));
    int exponent = 0;
    std::frexp(1.01 * farthest, &exponent);
    return std::ldexp(2.0, exponent);
}

void write_header(Group header, const Snapshot &snapshot, double box, const Units &units)
{
    std::array<std::uint32_t, 6> low{}, high{};
    for (std::size_t type = 0; type < low.size(); type++) {
        low[type] = static_cast<std::uint32_t>(snapshot.types[type]);
        high[type] = static_cast<std::uint32_t>(std::uint64_t{snapshot.types[type]} >> 32);
    }
    header.put("NumPart_ThisFile", low);
    header.put("NumPart_Total", low);
    header.put("NumPart_Total_HighWord", high);
    header.put("MassTable", std::array<double, 6>{});
    header.put("Time", snapshot.time);
    header.put("Time_GYR", snapshot.time * units.time() / kSecondsPerGyr);
    header.put("Redshift", 0.0);
    header.put("BoxSize", box);
    header.put("NumFilesPerSnapshot", 1);
    header.put("Omega0", 0.0);
    header.put("OmegaLambda", 0.0);
    header.put("HubbleParam", 1.0);
    for (const char *flag : {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals",
                             "Flag_Feedback", "Flag_Entropy_ICs"})
        header.put(flag, 0);
    header.put("Flag_DoublePrecision", 1);
}

void write_units(Group group, const std::string &given, const Units &units)
{
    group.put("UnitLength_in_cm", units.length);
    group.put("UnitMass_in_g", units.mass);
    group.put("UnitVelocity_in_cm_per_s", units.velocity());
    group.put("UnitTime_in_s", units.time());
    group.put("Description", given.empty()
                                 ? std::string("N-body units, G = 1; their physical size was not "
                                               "given, and ") +
                                       kFreeUnits + " stands for it"
                                 : given + " (--units), G = 1");
}

void write_state(Group group, const RunState &state)
{
    group.put("Version", kStateVersion);
    visit_numbers(state, [&](const char *name, const double &value) { group.put(name, value); });
    visit_texts(state, [&](const char *name, const std::string &value) { group.put(name, value); });
}

}  // namespace

Snapshot read_gadget(const std::string &path)
{
    const Group file = open_snapshot(path), header = file.group("Header");
    Snapshot snapshot;
    std::vector<TypeCounts> counts;
    const std::vector<std::string> parts = all_parts(path, header);
    const double time = header.has_attribute("Time") ? header.number("Time") : 0;
    for (const std::string &part : parts) {
        const Group own = open_snapshot(part).group("Header");
        if (files_of(own) != static_cast<int>(parts.size()) ||
            (own.has_attribute("Time") && own.number("Time") != time))
            throw Error(part + ": its Time or NumFilesPerSnapshot is not that of " + path);
        counts.emplace_back();
        add_counts(own, counts.back(), snapshot.types);
    }
    check_total(header, snapshot.types);
    snapshot.state = read_state(file, path);
    const auto a = told_expansion(file);
    snapshot.expanding = a.has_value();
    snapshot.time = a.value_or(time);
    snapshot.gravity = told_gravity(file);
    snapshot.units = told_unit_list(file);
    snapshot.needs_gravity = !file.has_group(kStateGroup);

    std::size_t first = 0;
    for (std::size_t type = 0; type < 6; type++)
        for (std::size_t part = 0; part < parts.size(); part++) {
            const std::size_t n = counts[part][type];
            const Group own = open_hdf5(parts[part]);
            if (n == 0) check_empty(own, type);
            if (n == 0) continue;
            snapshot.bodies.resize(first + n);
            for (std::size_t k = first; k < first + n; k++) snapshot.bodies[k].id = k;
            read_type(own, type, snapshot.state.has_value(), &snapshot.bodies[first], n);
            first += n;
        }
    return snapshot;
}

void write_gadget(const std::string &path, const Snapshot &snapshot)
{
    const double box = box_around(snapshot.bodies);
    const Settings *settings = snapshot.held();
    const std::string given = settings ? settings->units : "";
    const Units units = units_of(given.empty() ? kFreeUnits : given);
    Group file = create_hdf5(path);
    write_header(file.create_group("Header"), snapshot, box, units);
    write_units(file.create_group("Units"), given, units);
    std::size_t first = 0;
    for (std::size_t type = 0; type < 6; type++) {
        const std::size_t n = snapshot.types[type];
        if (n == 0) continue;
        write_type(file.create_group(type_name(type)), &snapshot.bodies[first], n, box, units,
                   snapshot.state.has_value());
        first += n;
    }
    if (snapshot.state) write_state(file.create_group(kStateGroup), *snapshot.state);
    file.flush();
}

}  // namespace g6run
