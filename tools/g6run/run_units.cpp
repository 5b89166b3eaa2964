// SPDX-License-Identifier: MIT
// Reads --input-units, numbers with a unit and models with lengths or masses, and multiplies the
// particles of an input by the ratios of the units.
#include "run_units.h"

#include "error.h"
#include "type_softening.h"
#include "units.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace g6run {
namespace {

constexpr const char *kInputUnits = "--input-units";

// The units that --input-units lists, in cm, g and cm/s.  A list without velocity and time has the
// velocity for which G = 1.
struct InputUnits {
    double length, mass, velocity;
    std::string length_text, mass_text;
    bool free;  // the list names a velocity or a time, so that G may differ from 1
};

InputUnits input_units(const std::string &text)
{
    const auto [length, mass, time, velocity] = unit_list(kInputUnits, text);
    if (length.empty() || mass.empty())
        throw usage_error(std::string(kInputUnits) + " " + text +
                          ": a length and a mass are needed, as pc,Msun,km/s");
    if (!time.empty() && !velocity.empty())
        throw usage_error(std::string(kInputUnits) + " " + text +
                          ": a velocity or a time, not both");
    InputUnits in = {
        *size_of(length, Dimension::kLength), *size_of(mass, Dimension::kMass), 0, length, mass,
        !time.empty() || !velocity.empty()};
    if (!velocity.empty())
        in.velocity = *size_of(velocity, Dimension::kVelocity);
    else if (!time.empty())
        in.velocity = in.length / *size_of(time, Dimension::kTime);
    else
        in.velocity = Units{in.length, in.mass}.velocity();
    return in;
}

// Units for the run: lengths and velocities are in the input's units, and the unit of mass follows
// from G = 1.
std::string units_for(const InputUnits &in)
{
    if (!in.free) return in.length_text + "," + in.mass_text;
    const double mass = in.length * in.velocity * in.velocity / kGravityCgs / kGramsPerMsun;
    return in.length_text + g6tools::text(",%.17gMsun", mass);
}

// Whether two numbers are equal up to the constants of nature, in which programs differ.
bool agree(double x, double y)
{
    return std::fabs(x / y - 1) < 0.01;
}

double gravity_in(const InputUnits &units)
{
    return kGravityCgs * units.mass / (units.length * units.velocity * units.velocity);
}

// Refuses --input-units that contradict the input.
void check_units(const Options &o, const InputUnits &in, const Snapshot &snapshot)
{
    const std::string given = std::string(kInputUnits) + " " + o.input_units;
    const std::string &told = snapshot.units.empty() ? snapshot.some_units : snapshot.units;
    if (!told.empty()) {
        const auto [length, mass, time, velocity] = unit_list(kInputUnits, told);
        const auto differs = [](double x, const std::string &unit, Dimension dimension) {
            return !unit.empty() && !agree(x, *size_of(unit, dimension));
        };
        if (differs(in.length, length, Dimension::kLength) ||
            differs(in.mass, mass, Dimension::kMass) ||
            differs(in.velocity, velocity, Dimension::kVelocity))
            throw usage_error(given + " are not those that the input names: " + told);
    }
    const double gravity = gravity_in(in);
    if (snapshot.gravity && !agree(gravity, *snapshot.gravity))
        throw usage_error(given +
                          " are not those of the input: in these the constant of gravity is " +
                          text_of(gravity) + ", and in the input " + text_of(*snapshot.gravity));
}

// Refuses --units for an input that names others.  Where these have G = 1, the system may have any
// size, and --units chooses another one.
void check_run_units(const Options &o, const Snapshot &snapshot)
{
    if (o.units.empty() || o.input.empty() || snapshot.units.empty()) return;
    const InputUnits told = input_units(snapshot.units);
    const Units run = units_of(o.units);
    if (agree(gravity_in(told), 1)) return;
    if (agree(run.length, told.length) && agree(run.mass, told.mass)) return;
    throw usage_error("--units " + o.units + " are not those that the input names: " +
                      snapshot.units + "; with --input-units they are converted");
}

struct Measure {
    const char *key;
    Dimension dimension;
};
// Parameters of models that may have a unit.  The scale must come first.
constexpr Measure kMeasures[] = {{"scale", Dimension::kLength},
                                 {"mass", Dimension::kMass},
                                 {"d", Dimension::kLength},
                                 {"a_min", Dimension::kLength},
                                 {"a_max", Dimension::kLength}};

// The text of a model with plain numbers for its lengths and masses: in units of 2 pc
// "two:d=10pc,e=0.3" becomes "two:d=5,e=0.3".  A model multiplies its lengths by its scale, so that
// those with a unit are divided by it here.
std::string model_in(std::string model, const std::string &units)
{
    double scale = 1;
    for (const auto &[key, dimension] : kMeasures) {
        const std::string name = std::string(key) + "=";
        const std::size_t at = std::min(model.find(":" + name), model.find("," + name));
        if (at == std::string::npos) continue;
        const std::size_t from = at + 1 + name.size();
        const std::size_t length = std::min(model.find(',', from), model.size()) - from;
        const std::string value = model.substr(from, length);
        if (size_of(value, dimension)) {
            if (units.empty()) throw no_units("--model " + model, false);
            const double part = dimension == Dimension::kLength ? scale : 1;
            const double number = in_units(value, dimension, units_of(units)) / part;
            model.replace(from, length, g6tools::text("%.17g", number));
        }
        if (name == "scale=") scale = std::strtod(model.c_str() + from, nullptr);
    }
    return model;
}

}  // namespace

void use_units(Options &o, const Settings *held)
{
    for (std::string *list : {&o.units, &o.input_units, &o.table_units})
        *list = usual_spelling(*list);
    if (!o.input_units.empty() && o.units.empty()) o.units = units_for(input_units(o.input_units));
    const std::string text = o.units.empty() && held ? held->units : o.units;
    o.model = model_in(o.model, text);
    const std::optional<Units> run = text.empty() ? std::nullopt : std::optional(units_of(text));
    o.eps_types = eps_types_in(o.eps_types, run ? &*run : nullptr, !o.input.empty());
    if (o.measures.empty()) return;
    const auto &[first, given] = *o.measures.begin();
    if (text.empty()) throw no_units(first + " " + given, !o.input.empty());
    const Units units = units_of(text);
    const std::pair<const char *, std::optional<double> Options::*> times[] = {
        {"--t-end", &Options::t_end},
        {"--t-begin", &Options::t_begin},
        {"--table", &Options::table_every},
        {"--snapshot", &Options::snapshot_every},
        {"--dt", &Options::dt},
        {"--dt-max", &Options::dt_max},
        {"--dt-min", &Options::dt_min}};
    for (const auto &[name, value] : times)
        if (const auto found = o.measures.find(name); found != o.measures.end())
            o.*value = in_units(found->second, Dimension::kTime, units);
    if (const auto found = o.measures.find("--eps"); found != o.measures.end())
        o.eps = in_units(found->second, Dimension::kLength, units);
}

void convert_input(const Options &o, Snapshot &snapshot)
{
    const bool measured = !snapshot.time_unit.empty() && !o.t_begin;
    const auto unit = size_of(snapshot.time_unit, Dimension::kTime);
    if (measured && !unit)
        throw usage_error(o.input + ": its time is " + text_of(snapshot.time) + " " +
                          snapshot.time_unit + ", which is none of the units " +
                          unit_names(Dimension::kTime) + "; give --t-begin with a number for it");
    if (measured && o.units.empty())
        throw usage_error(
            no_units(o.input + ": its time is " + text_of(snapshot.time) + " " + snapshot.time_unit,
                     true)
                .what() +
            std::string(", or --t-begin with a number for this time"));
    if (measured) snapshot.time *= *unit / units_of(o.units).time();
    if (o.input_units.empty()) return check_run_units(o, snapshot);
    const InputUnits in = input_units(o.input_units);
    check_units(o, in, snapshot);
    const Units run = units_of(o.units);
    const double velocity = in.velocity / run.velocity();
    for (Body &b : snapshot.bodies) {
        b.mass *= in.mass / run.mass;
        for (double &x : b.x) x *= in.length / run.length;
        for (double &v : b.v) v *= velocity;
    }
    if (!o.t_begin && !measured) snapshot.time *= in.length / in.velocity / run.time();
    snapshot.gravity = 1;
}

}  // namespace g6run
