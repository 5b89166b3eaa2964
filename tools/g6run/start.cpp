// SPDX-License-Identifier: MIT
// Makes or reads the initial conditions, chooses the newest snapshot of a folder that is whole, and
// refuses particles that no run can move.
#include "start.h"

#include "cosmology_file.h"
#include "diagnostics.h"
#include "error.h"
#include "hdf5_file.h"
#include "hermite.h"
#include "output_folder.h"
#include "text_file.h"
#include "type_softening.h"
#include "units.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

namespace g6run {

using g6tools::text;

std::string source_name(const Options &o)
{
    if (o.input == kStandardInput) return "standard input";
    return o.restart.empty() ? o.input : o.restart;
}

namespace {

// The time, or the scale factor, of the file.  Throws Error unless a run can go on from it.
double check_restart(const std::string &path)
{
    if (is_hdf5(path) && is_cosmic_snapshot(path)) return read_cosmic_snapshot(path).a;
    const Snapshot snapshot = read_snapshot(path);
    if (!snapshot.held()) throw Error(path + ": holds no settings of a run");
    return snapshot.time;
}

}  // namespace

void choose_restart(Options &o)
{
    std::error_code error;
    const std::string folder = o.restart;
    if (!std::filesystem::is_directory(folder, error)) return;
    std::optional<double> newest;
    for (const std::string &file : newest_snapshots(folder)) {
        if (newest && !is_interrupted(file)) continue;
        try {
            const double time = check_restart(file);
            if (newest && time < *newest) continue;
            newest = time;
            o.restart = file;
        } catch (const Error &damage) {
            std::fprintf(stderr, "g6run: left out: %s\n", damage.what());
            o.damaged.push_back(file);
        }
    }
    if (!newest) throw Error(folder + ": has no snapshot that a run can go on from");
}

std::string source_action(const Options &o)
{
    const bool file = !o.input.empty() || !o.restart.empty();
    return file ? "reading " + source_name(o) : "making the model";
}

namespace {

// Keeps lengths and masses, and changes the unit of time to that of G = 1.
void scale_to_unit_gravity(Snapshot &snapshot, double gravity)
{
    if (!(gravity > 0) || !std::isnormal(gravity))
        throw usage_error("--gravity must be positive, not " + text_of(gravity));
    const bool agrees = !snapshot.gravity || std::fabs(gravity / *snapshot.gravity - 1) < 0.01;
    // --gravity 1 means that the units of the file mean nothing; another number is a mistake.
    if (!agrees && gravity != 1)
        throw usage_error("--gravity " + text_of(gravity) + " is not that of the input, " +
                          text_of(*snapshot.gravity));
    if (!agrees) snapshot.units.clear();
    const double root = std::sqrt(gravity);
    for (Body &b : snapshot.bodies)
        for (double &v : b.v) v /= root;
    if (!snapshot.expanding && snapshot.time_unit.empty()) snapshot.time *= root;
    snapshot.gravity = 1;
}

// Predicts bodies that have times of their own, as in interrupted.hdf5, to the snapshot's time.
void bring_to_common_time(Snapshot &snapshot)
{
    for (Body &b : snapshot.bodies) {
        if (b.t == snapshot.time) continue;
        const Body own = b;
        predict(own, snapshot.time, b.x, b.v);
    }
}

}  // namespace

Snapshot initial_conditions(const Options &o)
{
    if (o.plummer)
        return plummer_snapshot(static_cast<std::size_t>(o.plummer), o.seed_or_default());
    if (!o.model.empty())
        return model_snapshot(o.model, static_cast<std::size_t>(o.count), o.seed_or_default());
    Snapshot snapshot = read_snapshot(o.restart.empty() ? o.input : o.restart);
    if (o.restart.empty()) {
        if (snapshot.state) bring_to_common_time(snapshot);
        snapshot.state.reset();
        snapshot.settings.reset();
    } else if (!snapshot.held()) {
        throw usage_error(o.restart + ": holds no settings of a run, or not all: use --input, "
                                      "with the --eps and --eta that it had");
    }
    if (o.gravity) scale_to_unit_gravity(snapshot, *o.gravity);
    if (o.t_begin) snapshot.time = *o.t_begin;
    return snapshot;
}

namespace {

// Whether the squares that distances and energies need are finite.
bool has_squares(const double u[3])
{
    return std::max({std::fabs(u[0]), std::fabs(u[1]), std::fabs(u[2])}) <= 1e150;
}

}  // namespace

void check_physics(const Snapshot &start, const Settings &s)
{
    for (std::size_t k = 0; k < start.bodies.size(); k++) {
        const Body &b = start.bodies[k];
        if (!has_squares(b.x) || !has_squares(b.v))
            throw Error(text("particle %zu: %s is beyond 1e150, its square would be infinite",
                             k + 1, has_squares(b.x) ? "velocity" : "position"),
                        kExitWrongPhysics);
    }
    if (start.state || least_softening(s, start.types) > 0) return;
    const auto pair = coincident(start.bodies);
    if (!pair) return;
    throw Error(text("particles %zu and %zu are in the same place, where without --eps their force "
                     "is infinite",
                     pair->first + 1, pair->second + 1),
                kExitWrongPhysics);
}

std::string output_path(const Options &o, bool goes_on)
{
    if (!o.output.empty()) return o.output;
    return goes_on ? folder_of(o.restart) : "run-out";
}

}  // namespace g6run
