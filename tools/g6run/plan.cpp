// SPDX-License-Identifier: MIT
#include "plan.h"

#include "diagnostics.h"
#include "error.h"
#include "schedule.h"
#include "units.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace g6run {
namespace {

// Times that ask for a shorter longest step than this, or than this part of them, are taken for
// mistakes (0.1, say).
constexpr double kShortestDtMax = 0x1p-20;
constexpr double kShortestPart = 0x1p-10;
// A time counts its shortest steps in a double's 53 bits.
constexpr double kMostTicks = 0x1p52;
// Of a leapfrog's energy: a softened run has some 1e-5, one that misses encounters some per cent.
constexpr double kLeapError = 0.01;
// A part of the longest step down to which steps are let go at least.
constexpr double kShortestOfMax = 0x1p-30;

void need_positive(const char *name, double value)
{
    if (!(value > 0))
        throw usage_error(std::string(name) + " must be positive, not " + text_of(value));
}

void need_not_negative(const char *name, double value)
{
    if (value < 0)
        throw usage_error(std::string(name) + " must not be negative, as " + text_of(value));
}

// Text from which the option has the same bits: "0.25", or "1/1073741824" where that has too many
// digits.
std::string exact_text(double value)
{
    const std::string text = text_of(value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
    double below = 1;
    while (std::floor(value * below) != value * below) below *= 2;
    return g6tools::text("%.0f/%.0f", value * below, below);
}

void need_power_of_two(const char *name, double value)
{
    need_positive(name, value);
    if (is_power_of_two(value)) return;
    const double below = power_of_two_below(value);
    throw usage_error(std::string(name) + " must be a power of two: not " + text_of(value) +
                      " but " + exact_text(below) + " or " + exact_text(2 * below));
}

template <class T> void take(T &value, const std::optional<T> &given)
{
    if (given) value = *given;
}

void take(std::string &value, const std::string &given)
{
    if (!given.empty()) value = given;
}

Settings merge(const Options &o, const Snapshot &snapshot)
{
    Settings s;
    const Settings *held = snapshot.held();
    if (held) s = *held;
    take(s.eta, o.eta);
    need_positive("--eta", s.eta);
    // A quarter of what the criterion gives on average: it doubles at once where it was too short.
    if (o.eta || !held) s.eta_start = std::sqrt(s.eta) / 4;
    take(s.eta_start, o.eta_start);
    if (snapshot.state && o.eps && *o.eps != s.eps)
        throw usage_error("the restart has --eps " + text_of(s.eps) +
                          "; with another its energy and steps would be wrong: use --input");
    take(s.eps, o.eps);
    take(s.dt_max, o.dt_max);
    take(s.t_end, o.t_end);
    if (!held) s.table_every = std::max(s.table_every, s.dt_max);
    take(s.table_every, o.table_every);
    take(s.snapshot_every, o.snapshot_every);
    const bool far = !snapshot.state && s.t_end / s.dt_max > kMostTicks;
    if (far && !o.dt_min)
        throw usage_error("--t-end " + text_of(s.t_end) + " is too large for --dt-max " +
                          text_of(s.dt_max) + ": a double cannot hold the times of such steps");
    while (!snapshot.state && s.t_end / s.dt_min > kMostTicks) s.dt_min *= 2;
    take(s.dt_min, o.dt_min);
    take(s.precision, o.precision);
    take(s.mode, o.mode);
    take(s.method, o.method);
    take(s.steps, o.steps);
    take(s.dt, o.dt);
    take(s.theta, o.theta);
    take(s.group, o.group);
    if (!held || held->leaps() != s.leaps()) s.max_error = s.leaps() ? kLeapError : 1;
    take(s.max_error, o.max_error);
    if (softens_by_default(o, s)) s.eps = usual_softening(snapshot.bodies);
    take(s.units, o.units);
    if (!s.units.empty()) units_of(s.units);
    if (s.leaps()) {
        const std::string needed = s.method == "treewalk" ? "treewalk" : "treeonly";
        if (!o.mode.empty() && o.mode != needed)
            throw usage_error("--method " + s.method + " uses mode " + needed);
        s.mode = needed;
        if (!o.steps.empty())
            throw usage_error("--method " + s.method + " shares --dt; --steps goes with hermite");
    }
    return s;
}

// Options are among these by themselves; a file's settings may be damaged, or of a later version.
void need_one_of(const char *what, const std::string &value, const std::vector<std::string> &known)
{
    if (std::find(known.begin(), known.end(), value) == known.end())
        throw Error("the restart has the " + std::string(what) + " '" + value +
                    "', which this g6run does not know");
}

void check(const Settings &s, double begin)
{
    need_one_of("method", s.method, {"hermite", "treewalk", "treecode"});
    need_one_of("steps", s.steps, {"block", "shared"});
    need_positive("--eta-start", s.eta_start);
    need_not_negative("--eps", s.eps);
    need_positive("--max-error", s.max_error);
    need_power_of_two("--dt-max", s.dt_max);
    need_power_of_two("--dt-min", s.dt_min);
    need_power_of_two("--dt", s.dt);
    if (s.leaps() && s.dt > s.dt_max)
        throw usage_error("--dt " + text_of(s.dt) + " is above --dt-max " + text_of(s.dt_max));
    if (!(s.group >= 1 && s.group <= 1e9 && s.group == std::floor(s.group)))
        throw usage_error("--group must be a whole number, not " + text_of(s.group));
    need_positive("--table", s.table_every);
    need_not_negative("--snapshot", s.snapshot_every);
    if (s.dt_min > s.dt_max)
        throw usage_error("--dt-min " + text_of(s.dt_min) + " is above --dt-max " +
                          text_of(s.dt_max));
    if (s.t_end <= begin)
        throw usage_error("nothing to do: the particles are at t = " + text_of(begin) +
                          ", --t-end is " + text_of(s.t_end));
    if (std::max(std::fabs(begin), s.t_end) / s.dt_min > kMostTicks)
        throw usage_error("--dt-min " + text_of(s.dt_min) + " is too short for --t-end " +
                          text_of(s.t_end));
}

void check_common_time(const Snapshot &snapshot, const Settings &s)
{
    const std::string name = s.leaps() ? "--method " + s.method : "--steps shared";
    for (const Body &b : snapshot.bodies)
        if (b.t != snapshot.time)
            throw usage_error(name + " goes on where all particles are at one time, at a "
                                     "multiple of --dt-max: this snapshot was made in between");
}

// dt_max halved until `time` is a multiple of it; 0 where none fits.
double fitting(double dt_max, double time)
{
    const double shortest = std::min(kShortestDtMax, kShortestPart * std::fabs(time));
    while (dt_max > shortest && !is_multiple_of(time, dt_max)) dt_max /= 2;
    return is_multiple_of(time, dt_max) ? dt_max : 0;
}

void fit(double &dt_max, const char *name, double time)
{
    if (const double dt = fitting(dt_max, time); dt > 0) {
        dt_max = dt;
        return;
    }
    // Multiples close by.
    const double grid = std::min(dt_max, power_of_two_below(std::fabs(time)) / 4);
    const double below = std::floor(time / grid) * grid;
    throw usage_error(std::string(name) + " " + text_of(time) +
                      " is no multiple of a power of two: try " + exact_text(below) + " or " +
                      exact_text(below + grid));
}

// The shortest step by default.  Where times are short in the run's units it is shorter than that
// of Settings; a double must count it in the times of the run.
double shortest_step(const Settings &s, double begin)
{
    double dt = std::min(s.dt_min, kShortestOfMax * s.dt_max);
    while (std::max(std::fabs(begin), s.t_end) / dt > kMostTicks) dt *= 2;
    return dt;
}

// What no settings make a run of.
void check_source(const Options &options, const Snapshot &snapshot)
{
    if (snapshot.expanding && !options.t_begin)
        throw usage_error(
            "the particles are of an expanding universe, a = " + text_of(snapshot.time) +
            ": give --cosmology, or --t-begin to run them in space at rest");
    if (snapshot.needs_gravity && !snapshot.gravity)
        throw usage_error(options.input +
                          ": its constant of gravity does not follow from what it tells of units: "
                          "give --gravity 1 where it is 1, or --gravity 43009.2 for kpc, 1e10 Msun "
                          "and km/s");
}

}  // namespace

Settings plan(const Options &options, const Snapshot &snapshot)
{
    check_source(options, snapshot);
    Settings s = merge(options, snapshot);
    check(s, snapshot.time);
    if (snapshot.state && (s.shares_steps() || s.leaps())) check_common_time(snapshot, s);
    fit(s.dt_max, "--t-end", s.t_end);
    fit(s.dt_max, "--table", s.table_every);
    if (s.snapshot_every > 0) fit(s.dt_max, "--snapshot", s.snapshot_every);
    // The time of a file of an expanding universe is its scale factor.
    if (!snapshot.state && !options.t_begin && !fitting(s.dt_max, snapshot.time))
        throw usage_error("the particles are at t = " + text_of(snapshot.time) +
                          ", which is no multiple of a power of two: give --t-begin, or "
                          "--cosmology where the file has an expanding universe");
    // Particles that keep their steps keep to the grid that they have.
    if (!goes_on(snapshot, s)) fit(s.dt_max, "--t-begin", snapshot.time);
    if (s.leaps()) fit(s.dt, "--t-begin", snapshot.time);
    s.dt = std::min(s.dt, s.dt_max);
    if (!options.dt_min && !snapshot.held()) s.dt_min = shortest_step(s, snapshot.time);
    if (s.dt_min > s.dt_max)
        throw usage_error("--dt-min " + text_of(s.dt_min) + " is above the longest step " +
                          text_of(s.dt_max) + " that fits the times asked for");
    return s;
}

bool softens_by_default(const Options &o, const Settings &settings)
{
    return settings.leaps() && !o.eps && (o.plummer != 0 || !o.model.empty());
}

bool goes_on(const Snapshot &snapshot, const Settings &settings)
{
    return snapshot.state && snapshot.state->settings.leaps() == settings.leaps();
}

std::vector<std::string> idle_options(const Options &o, const Settings &s, const std::string &mode)
{
    std::vector<std::string> texts;
    const auto note = [&](bool idle, const char *name, const char *why) {
        if (idle) texts.push_back(std::string(name) + " has no effect: " + why);
    };
    note(o.theta && mode != "treewalk" && s.method != "treecode", "--theta",
         "direct sums have no opening angle; --mode treewalk has");
    note(o.group && s.method != "treecode", "--group", "it goes with --method treecode");
    note(o.dt && !s.leaps(), "--dt", "it goes with --method treewalk or treecode");
    for (const auto &[name, given] :
         {std::pair{"--eta", o.eta.has_value()}, std::pair{"--eta-start", o.eta_start.has_value()},
          std::pair{"--dt-min", o.dt_min.has_value()}})
        note(given && s.leaps(), name, "the leapfrog has the step --dt");
    return texts;
}

std::string wrong_gravity(const Snapshot &snapshot)
{
    const double gravity = snapshot.gravity.value_or(1);
    // Constants of nature differ from program to program.
    if (std::fabs(gravity - 1) < 0.01) return "";
    const std::string number = text_of(gravity);
    return "the units that the input names have G = " + number +
           ", but the run has G = 1 (--gravity " + number +
           " converts them): divide the input's velocities by " + text_of(std::sqrt(gravity));
}

}  // namespace g6run
