// SPDX-License-Identifier: MIT
#include "gadget_file.h"

#include "error.h"
#include "hdf5_file.h"

#include <cmath>
#include <limits>

namespace g6run {
namespace {

using VectorMember = double (Body::*)[3];
using NumberMember = double Body::*;

constexpr const char *kStateGroup = "G6run";
constexpr int kStateVersion = 4;
// Lacks kMaxErrorName.
constexpr int kOldestStateVersion = 3;

struct VectorColumn {
    const char *name;
    VectorMember member;
};
struct NumberColumn {
    const char *name;
    NumberMember member;
};
constexpr VectorColumn kStateVectors[] = {{"Acceleration", &Body::a}, {"Jerk", &Body::j}};
constexpr NumberColumn kStateNumbers[] = {{"OwnTime", &Body::t}, {"TimeStep", &Body::dt}};

std::string type_name(int type)
{
    return "PartType" + std::to_string(type);
}

// ---- reading ------------------------------------------------------------------------------------

void read_vectors(const Group &group, const char *name, VectorMember member, Body *b, std::size_t n)
{
    const std::vector<double> values = group.read(name, n, 3);
    for (std::size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) (b[k].*member)[d] = values[3 * k + d];
}

void read_numbers(const Group &group, const char *name, NumberMember member, Body *b, std::size_t n)
{
    const std::vector<double> values = group.read(name, n, 1);
    for (std::size_t k = 0; k < n; k++) b[k].*member = values[k];
}

// mass: the header's mass of each particle of this type, 0 when they have their own.
void read_type(const Group &group, double mass, bool with_state, Body *b, std::size_t n)
{
    read_vectors(group, "Coordinates", &Body::x, b, n);
    read_vectors(group, "Velocities", &Body::v, b, n);
    if (mass > 0)
        for (std::size_t k = 0; k < n; k++) b[k].mass = mass;
    else
        read_numbers(group, "Masses", &Body::mass, b, n);
    if (group.has_data("ParticleIDs")) {
        const std::vector<std::uint64_t> ids = group.read_ids("ParticleIDs", n);
        for (std::size_t k = 0; k < n; k++) b[k].id = ids[k];
    }
    if (!with_state) return;
    for (const VectorColumn &c : kStateVectors) read_vectors(group, c.name, c.member, b, n);
    for (const NumberColumn &c : kStateNumbers) read_numbers(group, c.name, c.member, b, n);
}

TypeCounts read_counts(const Group &header, const std::string &path)
{
    if (header.has_attribute("NumFilesPerSnapshot") && header.number("NumFilesPerSnapshot") > 1)
        throw Error(path + ": one part of a snapshot of several files; join them first");
    const std::vector<double> numbers = header.numbers("NumPart_ThisFile");
    TypeCounts types{};
    double sum = 0;
    for (std::size_t type = 0; type < numbers.size(); type++) {
        sum += numbers[type];
        if (numbers[type] < 0 || sum > std::numeric_limits<int>::max())
            throw Error(path + ": NumPart_ThisFile holds an impossible number of particles");
        if (type < types.size())
            types[type] = static_cast<std::size_t>(numbers[type]);
        else if (numbers[type] > 0)
            throw Error(path + ": more than six types of particles");
    }
    return types;
}

std::optional<RunState> read_state(const Group &file, const std::string &path)
{
    if (!file.has_group(kStateGroup)) return std::nullopt;
    const Group group = file.group(kStateGroup);
    const double version = group.number("Version");
    if (version != kStateVersion && version != kOldestStateVersion)
        throw Error(path + ": written by another version of g6run");
    RunState state;
    visit_numbers(state, [&](const std::string &name, double &value) {
        if (version > kOldestStateVersion || name != kMaxErrorName) value = group.number(name);
    });
    visit_texts(state, [&](const char *name, std::string &value) { value = group.text(name); });
    return state;
}

// ---- writing ------------------------------------------------------------------------------------

void write_vectors(Group &group, const char *name, VectorMember member, const Body *b,
                   std::size_t n)
{
    std::vector<double> values(3 * n);
    for (std::size_t k = 0; k < n; k++)
        for (int d = 0; d < 3; d++) values[3 * k + d] = (b[k].*member)[d];
    group.write(name, values, 3);
}

void write_numbers(Group &group, const char *name, NumberMember member, const Body *b,
                   std::size_t n)
{
    std::vector<double> values(n);
    for (std::size_t k = 0; k < n; k++) values[k] = b[k].*member;
    group.write(name, values, 1);
}

void write_type(Group group, const Body *b, std::size_t n, bool with_state)
{
    write_vectors(group, "Coordinates", &Body::x, b, n);
    write_vectors(group, "Velocities", &Body::v, b, n);
    write_numbers(group, "Masses", &Body::mass, b, n);
    std::vector<std::uint64_t> ids(n);
    for (std::size_t k = 0; k < n; k++) ids[k] = b[k].id;
    group.write("ParticleIDs", ids);
    if (!with_state) return;
    for (const VectorColumn &c : kStateVectors) write_vectors(group, c.name, c.member, b, n);
    for (const NumberColumn &c : kStateNumbers) write_numbers(group, c.name, c.member, b, n);
}

void write_header(Group header, const Snapshot &snapshot)
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
    header.put("Redshift", 0.0);
    header.put("BoxSize", 0.0);
    header.put("NumFilesPerSnapshot", 1);
    header.put("Omega0", 0.0);
    header.put("OmegaLambda", 0.0);
    header.put("HubbleParam", 1.0);
    for (const char *flag : {"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals",
                             "Flag_Feedback", "Flag_Entropy_ICs"})
        header.put(flag, 0);
    header.put("Flag_DoublePrecision", 1);
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
    const Group file = open_hdf5(path);
    const Group header = file.group("Header");
    Snapshot snapshot;
    snapshot.types = read_counts(header, path);
    if (header.has_attribute("Time")) snapshot.time = header.number("Time");
    std::vector<double> masses(6, 0.0);
    if (header.has_attribute("MassTable")) masses = header.numbers("MassTable");
    masses.resize(6, 0.0);
    snapshot.state = read_state(file, path);

    std::size_t first = 0;
    for (int type = 0; type < 6; type++) {
        const std::size_t n = snapshot.types[type];
        if (n == 0) continue;
        snapshot.bodies.resize(first + n);
        for (std::size_t k = first; k < first + n; k++) snapshot.bodies[k].id = k;
        read_type(file.group(type_name(type)), masses[type], snapshot.state.has_value(),
                  &snapshot.bodies[first], n);
        first += n;
    }
    return snapshot;
}

void write_gadget(const std::string &path, const Snapshot &snapshot)
{
    Group file = create_hdf5(path);
    write_header(file.create_group("Header"), snapshot);
    std::size_t first = 0;
    for (int type = 0; type < 6; type++) {
        const std::size_t n = snapshot.types[type];
        if (n == 0) continue;
        write_type(file.create_group(type_name(type)), &snapshot.bodies[first], n,
                   snapshot.state.has_value());
        first += n;
    }
    if (snapshot.state) write_state(file.create_group(kStateGroup), *snapshot.state);
    file.flush();
}

}  // namespace g6run
