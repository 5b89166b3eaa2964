// SPDX-License-Identifier: MIT
// A particle, the settings and the state of a run, and a snapshot of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace g6run {

// Position and its derivatives at the particle's own time t; the next step ends at t + dt.  Two
// whole lines of the processor's cache.
struct alignas(64) Body {
    double t = 0, dt = 0;
    double mass = 0;
    double x[3] = {0, 0, 0};
    double v[3] = {0, 0, 0};
    double a[3] = {0, 0, 0};
    double j[3] = {0, 0, 0};  // jerk, da/dt
    std::uint64_t id = 0;  // of the user's file; the library gets the array subscript in its place
};

// What the user may choose and a snapshot remembers.  Lengths and times in N-body units.
struct Settings {
    double eta = 0.01;         // of Aarseth's step, or of a leapfrog's eta sqrt(eps/|a|)
    double eta_start = 0.025;  // first steps: eta_start times |a|/|j| or less
    double eps = 0;            // softening length
    // Of pairs within a type, as "1=0.02,2=0.005" (type_softening.h); "": --eps serves all types.
    std::string eps_types;
    double dt_max = 0.125;  // longest step; all steps are this times powers of 1/2
    double dt_min = 0x1p-40;
    double t_end = 1;
    double table_every = 0.125;
    double snapshot_every = 0;    // 0: only the first and the last
    std::string precision, mode;  // "": as the library chooses
    // treewalk, treecode: a leapfrog with the library's tree, or with g6run's own.
    std::string method = "hermite";
    // block: each particle has its own step; shared: all have one step, with hermite the shortest
    // of these, with a leapfrog dt.
    std::string steps = "block";
    double dt = 1.0 / 256;
    double theta = -1;  // opening angle; negative: as the library chooses, 0.75 with treecode
    std::string mac, multipole;  // of mode treewalk; "": as the library chooses
    double group = 0;      // bodies that share an interaction list of treecode; 0: usual_group()
    double max_error = 1;  // |dE/E| above which the run ends
    // Units of length and mass, only for files (units.h), as "1pc,1e4Msun"; "": none were given.
    std::string units;
    std::string table_units;  // "Myr,pc"; "": those of the run

    bool shares_steps() const { return steps == "shared"; }
    bool leaps() const { return method != "hermite"; }
    bool uses_dt() const { return leaps() && shares_steps(); }
};

// Where a run stands, besides its particles.
struct RunState {
    Settings settings;
    double t_begin = 0;
    double energy = 0;     // total, at t_begin
    double potential = 0;  // largest potential energy of a line of the table so far, positive
    double worst = 0;      // largest |dE/E| so far
    double blocks = 0;     // block steps
    double steps = 0;      // particle steps
    double snapshots = 0;  // how many were written; the next one gets this number
};

// Gadget's particle types; particles are stored in the order of their types.
using TypeCounts = std::array<std::size_t, 6>;
constexpr int kDefaultType = 1;

// Particles at a system time.  With a state they hold derivatives and steps, t <= time < t + dt,
// and the run can go on as if it had not stopped.  Without a state only mass, x, v and id count.  A
// text file has no state, but it has the settings of the run that wrote it.
struct Snapshot {
    double time = 0;
    std::string time_unit;  // unit of `time` in a file; "": that of its other numbers
    std::vector<Body> bodies;
    TypeCounts types{};
    std::optional<RunState> state;
    std::optional<Settings> settings;
    // Whether the file says that it is one of an expanding universe; `time` is the scale factor.
    bool expanding = false;
    // The constant of gravity that the file tells, in its own units; runs have 1.
    std::optional<double> gravity;
    // Whether it must be given if the file has none: the file's program has units of its own.
    bool needs_gravity = false;
    std::string units;       // that the file names, as --input-units lists them: "pc,Msun,km/s"
    std::string some_units;  // of a table that does not name all: "pc,km/s"
    // Equal parts of a table, between comments or empty lines; they may be several snapshots.
    std::size_t parts = 1;
    std::string note;  // of a model, for people; "" for nothing
    // The sum of the masses of a model's stars in Msun, and the smallest semi-major axis of its
    // binaries; 0 where there are none.
    double solar_masses = 0, closest_binary = 0;

    // The settings that a restart takes over; null: none.
    const Settings *held() const
    {
        return state ? &state->settings : settings ? &*settings : nullptr;
    }
};

constexpr const char *kMaxErrorName = "MaxAllowedEnergyError";
constexpr const char *kPotentialName = "MaxPotentialEnergy";
constexpr const char *kUnitsName = "Units";
constexpr const char *kTableUnitsName = "TableUnits";
constexpr const char *kEpsTypesName = "SofteningOfTypes";
constexpr const char *kCriterionName = "OpeningCriterion";
constexpr const char *kMultipoleName = "Multipole";

// Calls visit("Name", member) for all settings.
template <class S, class Visit> void visit_setting_numbers(S &s, Visit &&visit)
{
    visit("Eta", s.eta);
    visit("EtaStart", s.eta_start);
    visit("Softening", s.eps);
    visit("MaxTimeStep", s.dt_max);
    visit("MinTimeStep", s.dt_min);
    visit("EndTime", s.t_end);
    visit("TableInterval", s.table_every);
    visit("SnapshotInterval", s.snapshot_every);
    visit("TimeStep", s.dt);
    visit("OpeningAngle", s.theta);
    visit("GroupSize", s.group);
    visit(kMaxErrorName, s.max_error);
}
template <class S, class Visit> void visit_setting_texts(S &s, Visit &&visit)
{
    visit("Precision", s.precision);
    visit("Mode", s.mode);
    visit("Method", s.method);
    visit("Steps", s.steps);
    visit(kUnitsName, s.units);
    visit(kTableUnitsName, s.table_units);
    visit(kEpsTypesName, s.eps_types);
    visit(kCriterionName, s.mac);
    visit(kMultipoleName, s.multipole);
}

// Likewise for all that a snapshot file with a state remembers of a run.
template <class State, class Visit> void visit_numbers(State &state, Visit &&visit)
{
    visit_setting_numbers(state.settings, visit);
    visit("BeginTime", state.t_begin);
    visit("InitialEnergy", state.energy);
    visit(kPotentialName, state.potential);
    visit("MaxEnergyError", state.worst);
    visit("BlockSteps", state.blocks);
    visit("ParticleSteps", state.steps);
    visit("Snapshots", state.snapshots);
}
template <class State, class Visit> void visit_texts(State &state, Visit &&visit)
{
    visit_setting_texts(state.settings, visit);
}

}  // namespace g6run
