// SPDX-License-Identifier: MIT
// Writes the head of a table from the options, the settings and the library's answers.
#include "table_head.h"

#include "plan.h"
#include "run_parts.h"
#include "start.h"
#include "type_softening.h"
#include "units.h"

#include "../common/text.h"

#include <g6lib.h>

namespace g6run {
namespace {

using g6tools::text;

// In mode auto the library sums particles that are sent with velocities as in mode hermite.
std::string computing_mode(const Settings &s)
{
    return s.mode == "auto" ? "hermite" : s.mode;
}

constexpr const char *kTypeNames[] = {"gas", "halo", "disk", "bulge", "stars", "boundary"};

// "eps of type 1 (halo) 0.02, 2 (disk) 0.005 ..."
std::string softenings_line(const Settings &s, const TypeCounts &types, const TableUnits &units)
{
    const std::array<double, 6> lengths = type_lengths(s);
    std::string line;
    for (std::size_t type = 0; type < types.size(); type++)
        if (types[type] > 0)
            line += text("%s%zu (%s) %s", line.empty() ? "eps of type " : ", ", type,
                         kTypeNames[type], units.length_text(lengths[type]).c_str());
    return line + "; of a pair of two types the root of the mean square";
}

// "types: 1 (halo) 8000, 2 (disk) 1333" where there are several.
std::string types_line(const TypeCounts &types)
{
    std::string line;
    int kinds = 0;
    for (std::size_t type = 0; type < types.size(); type++) {
        if (types[type] == 0) continue;
        line += text("%s%zu (%s) %zu", kinds++ ? ", " : "", type, kTypeNames[type], types[type]);
    }
    return kinds > 1 ? "types: " + line : "";
}

// Which units the run assumes for an --input that does not name them.
std::string input_units_text(const Options &o, const Snapshot &start)
{
    if (!o.input_units.empty()) return ", in " + o.input_units;
    const bool assumed = !o.input.empty() && !o.units.empty() && !start.gravity;
    return assumed ? ", as if in the units of the run, with G = 1 (--input-units names others)"
                   : "";
}

// How a tree opens cells, and of what their moments are if not monopoles alone.
std::string opening(const Settings &s, const Gravity &gravity)
{
    const std::string method = s.leaps() ? s.method : s.mode,
                      multipole = gravity.setting("multipole");
    return opening_text(gravity, method, s.theta, s.group) +
           (gravity.is_tree() && multipole != "0" ? ", multipole " + multipole : "");
}

// How the run integrates.
std::string scheme_text(const Settings &s, const Gravity &gravity)
{
    if (s.uses_dt())
        return text("method %s, dt %s, %s", s.method.c_str(), text_of(s.dt).c_str(),
                    opening(s, gravity).c_str());
    const std::string steps =
        text("dt-max %s, dt-min %s", text_of(s.dt_max).c_str(), text_of(s.dt_min).c_str());
    if (s.leaps())
        return text("method %s, block steps, eta %s, %s, %s", s.method.c_str(),
                    text_of(s.eta).c_str(), steps.c_str(), opening(s, gravity).c_str());
    const std::string tree = gravity.is_tree() ? ", " + opening(s, gravity) : "";
    return text("%s steps, eta %s, eta-start %s, %s%s", s.steps.c_str(), text_of(s.eta).c_str(),
                text_of(s.eta_start).c_str(), steps.c_str(), tree.c_str());
}

}  // namespace

std::string computing_precision(const Settings &s, const std::string &backend)
{
    const bool mixed = backend == "cpu" || computing_mode(s) == "hermite";
    return s.precision == "single" && mixed ? "mixed" : s.precision;
}

void write_head(Table &table, const Options &o, const Snapshot &start, const RunState &state,
                const Gravity &gravity)
{
    const Settings &s = state.settings;
    const TableUnits &units = table.units();
    table.note(text("g6run %s: %zu particles, t = %s to %s, eps %s", g6_version(),
                    start.bodies.size(), text_of(start.time * units.time).c_str(),
                    units.time_text(s.t_end).c_str(),
                    s.eps_types.empty() ? units.length_text(s.eps).c_str() : "by type"));
    if (!s.eps_types.empty())
        table.note(softenings_line(s, start.types, units));
    else if (softens_by_default(o, s))
        table.note(
            text("eps is half the mean distance of the bodies in the middle: --eps sets another"));
    if (o.plummer)
        table.note(text("Plummer sphere, seed %llu", o.seed_or_default()));
    else if (!o.model.empty())
        table.note(text("model %s, seed %llu", o.model.c_str(), o.seed_or_default()));
    else
        table.note(text("from %s%s%s", start.state ? "the run of " : "", source_name(o).c_str(),
                        input_units_text(o, start).c_str()));
    if (!start.note.empty()) table.note(start.note);
    if (const std::string types = types_line(start.types); !types.empty()) table.note(types);
    if (!o.restart.empty() && !start.state)
        table.note(text("it holds the settings, but no steps: they are computed anew"));
    if (start.state && !goes_on(start, s))
        table.note(text("it was run with method %s, %s steps: forces and steps are computed anew",
                        start.state->settings.method.c_str(), start.state->settings.steps.c_str()));
    table.note(scheme_text(s, gravity));
    if (!s.units.empty()) table.note(units_line(s.units));
    table.note(text("backend %s, device %s, precision %s, mode %s", gravity.backend().c_str(),
                    gravity.device().c_str(), computing_precision(s, gravity.backend()).c_str(),
                    computing_mode(s).c_str()));
    table.head();
}

}  // namespace g6run
