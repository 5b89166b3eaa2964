// SPDX-License-Identifier: MIT
// Joins the options with the settings of a restart and the defaults, checks them, and chooses the
// longest step so that all times of the run are multiples of it.
#include "plan.h"

#include "diagnostics.h"
#include "error.h"
#include "schedule.h"
#include "step_grid.h"
#include "type_softening.h"
#include "units.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace g6run {
namespace {

// The largest number of shortest steps in a time: multiples_in() counts them in a double of 53
// bits.
constexpr double kMostTicks = 0x1p51;
// Default of --max-error for a leapfrog.  A softened run has an energy error of some 1e-5; in a run
// that misses encounters it is some per cent.
constexpr double kLeapError = 0.01;
// Default of --eta for a leapfrog.
constexpr double kLeapEta = 0.25;
// The default of --dt-min is at most this part of the longest step.
constexpr double kShortestOfMax = 0x1p-30;
// The powers of a step in the Hermite scheme stay within the range of double.
constexpr double kLeastStep = 1e-50;
// Where the unit of time is not that of the system, --table and --dt-max are about this part of the
// run, and the default of --dt is this part of a fall through the system.
constexpr double kLines = 64, kStepsOfAFall = 128;
// A longest step below this part of the usual one is worth a message: in most block steps all
// bodies would move.
constexpr double kShortPart = 1.0 / 16;

void need_positive(const char *name, double value)
{
    if (!(value > 0))
        throw usage_error(std::string(name) + " must be positive, not " + text_of(value));
}

void need_not_negative(const char *name, double value)
{
    if (value < 0)
        throw usage_error(std::string(name) + " must not be negative, but is " + text_of(value));
}

// A multiple of the step as a text with few digits that fits() when it is read again.
std::string multiple_text(double multiple, double step)
{
    const std::string text = text_of(multiple);
    return fits(std::strtod(text.c_str(), nullptr), step) ? text : g6tools::text("%.17g", multiple);
}

template <class T> void take(T &value, const std::optional<T> &given)
{
    if (given) value = *given;
}

void take(std::string &value, const std::string &given)
{
    if (!given.empty()) value = given;
}

// The largest |t| of a run, where the resolution of a double is lowest.
double largest_time(double begin, double end)
{
    return std::max(-begin, end);
}

// Refuses other softenings for a restart with a state.
void check_same_types(const Options &o, const Snapshot &snapshot, const Settings &held)
{
    if (!snapshot.state || o.eps_types.empty()) return;
    Settings asked = held;
    asked.eps_types = o.eps_types;
    const std::string had =
        held.eps_types.empty() ? "no --eps-type" : "--eps-type " + held.eps_types;
    if (type_lengths(asked) != type_lengths(held))
        throw usage_error("the restart has " + had +
                          "; with another its energy and steps would be wrong: use --input");
}

// A 64th of the run, as a power of two if one fits the times: a restart then has more possible
// ends.
double part_of_run(double begin, double end)
{
    const double part = (end - begin) / kLines, power = power_of_two_below(part);
    return fits(begin, power) && fits(end, power) ? power : part;
}

// The default of --dt.  usual: for a Plummer sphere in N-body units, whose time of a fall is 0.68.
double equal_step(const Options &o, const Snapshot &snapshot, double usual)
{
    if (o.input.empty()) return usual;
    const double fall = time_of_fall(snapshot.bodies, lagrangian_radii(snapshot.bodies)[1]);
    if (!(fall > 0) || !std::isnormal(fall)) return usual;
    const double step = fall / kStepsOfAFall;
    return o.input_units.empty() ? std::min(usual, step) : step;
}

Settings merge(const Options &o, const Snapshot &snapshot)
{
    Settings s;
    const Settings *held = snapshot.held();
    if (held) s = *held;
    take(s.method, o.method);
    const bool other_scheme = !held || held->leaps() != s.leaps();
    if (other_scheme) s.eta = s.leaps() ? kLeapEta : Settings().eta;
    take(s.eta, o.eta);
    need_positive("--eta", s.eta);
    // A quarter of the criterion's mean step.  A first step that is too short soon doubles.
    if (o.eta || other_scheme) s.eta_start = std::sqrt(s.eta) / 4;
    take(s.eta_start, o.eta_start);
    if (snapshot.state && o.eps && *o.eps != s.eps)
        throw usage_error("the restart has --eps " + text_of(s.eps) +
                          "; with another its energy and steps would be wrong: use --input");
    take(s.eps, o.eps);
    check_same_types(o, snapshot, s);
    take(s.eps_types, o.eps_types);
    take(s.t_end, o.t_end);
    // A run that ended at 3 times 0.3 is at 0.9 only up to rounding.
    if (are_same(s.t_end, snapshot.time)) s.t_end = snapshot.time;
    if (!held && !o.input_units.empty() && s.t_end > snapshot.time)
        s.dt_max = s.table_every = part_of_run(snapshot.time, s.t_end);
    if (!held && o.dt) s.dt_max = std::max(s.dt_max, *o.dt);
    take(s.dt_max, o.dt_max);
    need_positive("--dt-max", s.dt_max);
    if (s.dt_max < kLeastStep)
        throw usage_error("--dt-max " + text_of(s.dt_max) + " is below " + text_of(kLeastStep) +
                          ": choose units in which times are nearer to 1");
    if (!held) s.table_every = std::max(s.table_every, s.dt_max);
    take(s.table_every, o.table_every);
    take(s.snapshot_every, o.snapshot_every);
    const double largest = largest_time(snapshot.time, s.t_end);
    const bool far = !snapshot.state && largest / s.dt_max > kMostTicks;
    if (far && !o.dt_min)
        throw usage_error("--dt-max " + text_of(s.dt_max) +
                          " is too short for a run from t = " + text_of(snapshot.time) + " to " +
                          text_of(s.t_end) + ": a double cannot hold the times of such steps");
    while (!snapshot.state && largest / s.dt_min > kMostTicks) s.dt_min *= 2;
    if (!held) s.dt_min = std::min(s.dt_min, s.dt_max);
    take(s.dt_min, o.dt_min);
    take(s.precision, o.precision);
    // The mode of a leapfrog follows from its method.
    if (other_scheme) s.mode = Settings().mode;
    take(s.mode, o.mode);
    if (other_scheme) s.steps = s.leaps() ? "shared" : "block";
    take(s.steps, o.steps);
    take(s.dt, o.dt);
    if (!o.dt && !held)
        s.dt = std::min(s.uses_dt() ? equal_step(o, snapshot, s.dt) : s.dt, s.dt_max);
    take(s.theta, o.theta);
    o.check_group();
    take(s.group, o.group);
    if (other_scheme) s.max_error = s.leaps() ? kLeapError : 1;
    take(s.max_error, o.max_error);
    if (softens_by_default(o, s)) s.eps = usual_softening(snapshot.bodies);
    take(s.units, o.units);
    if (!s.units.empty()) units_of(s.units);
    take(s.table_units, o.table_units);
    table_units(s.table_units, s.units, !o.input.empty());
    if (s.leaps()) {
        const std::string needed = s.method == "treewalk" ? "treewalk" : "treeonly";
        if (!o.mode.empty() && o.mode != needed)
            throw usage_error("--method " + s.method + " uses mode " + needed);
        s.mode = needed;
    }
    return s;
}

// The command line accepts known values only, but the settings of a file may be damaged or of a
// later version.
void need_one_of(const char *what, const std::string &value, const std::vector<std::string> &known)
{
    if (std::find(known.begin(), known.end(), value) == known.end())
        throw Error("the restart has the " + std::string(what) + " '" + value +
                    "', which this g6run does not know");
}

// Refuses a leapfrog in block steps without the library's tree or without softening: g6run's own
// tree neither predicts bodies nor serves blocks of few bodies.
void check_leaping_blocks(const Settings &s, const TypeCounts &types)
{
    if (!s.leaps() || s.shares_steps()) return;
    if (s.method == "treecode")
        throw usage_error("--method treecode moves all bodies by --dt; --steps block goes with "
                          "hermite and treewalk");
    if (!(least_softening(s, types) > 0))
        throw usage_error("--method treewalk --steps block has steps of eta sqrt(eps/|a|), which "
                          "need an --eps above 0, or an --eps-type for each type");
}

// Softenings of types need a program that knows the type of each particle.
void check_types(const Options &o, const Settings &s)
{
    if (s.eps_types.empty()) return;
    if (s.method == "treecode")
        throw usage_error("--eps-type goes with hermite and treewalk: a cell of treecode's tree "
                          "has particles of all types, and one softening");
    if (o.format == Format::kText)
        throw usage_error("--eps-type goes with --format hdf5: a text table has no types, and a "
                          "restart would not know whose softening is whose");
}

void check(const Settings &s, const TypeCounts &types, double begin, bool may_end_there)
{
    need_one_of("method", s.method, {"hermite", "treewalk", "treecode"});
    need_one_of("steps", s.steps, {"block", "shared"});
    need_positive("--eta-start", s.eta_start);
    need_not_negative("--eps", s.eps);
    need_positive("--max-error", s.max_error);
    need_positive("--dt-min", s.dt_min);
    need_positive("--dt", s.dt);
    if (s.uses_dt() && s.dt > s.dt_max)
        throw usage_error("--dt " + text_of(s.dt) + " is above --dt-max " + text_of(s.dt_max));
    check_leaping_blocks(s, types);
    need_positive("--table", s.table_every);
    need_not_negative("--snapshot", s.snapshot_every);
    if (s.dt_min > s.dt_max)
        throw usage_error("--dt-min " + text_of(s.dt_min) + " is above --dt-max " +
                          text_of(s.dt_max));
    // A run that has reached its end is no error: a batch job that is queued again must not fail.
    if (s.t_end < begin || (s.t_end == begin && !may_end_there))
        throw Error("nothing to do: the particles are at t = " + text_of(begin) + ", --t-end is " +
                        text_of(s.t_end),
                    s.t_end < begin ? kExitUsage : kExitOk);
    if (largest_time(begin, s.t_end) / s.dt_min > kMostTicks)
        throw usage_error("--dt-min " + text_of(s.dt_min) +
                          " is too short for |t| = " + text_of(largest_time(begin, s.t_end)));
}

void check_common_time(const Snapshot &snapshot, const Settings &s)
{
    const bool other_method = snapshot.state->settings.leaps() != s.leaps();
    const std::string name = other_method ? "--method " + s.method : "--steps shared";
    for (const Body &b : snapshot.bodies)
        if (b.t != snapshot.time)
            throw usage_error(name + " goes on where all particles are at one time, at a "
                                     "multiple of --dt-max: this snapshot was made in between");
}

// A time that the run must reach, and the option that asks for it, in the user's words.
struct Asked {
    std::string text;
    double time;
};

std::vector<double> times_of(const std::vector<Asked> &asked)
{
    std::vector<double> times;
    for (const Asked &a : asked) times.push_back(a.time);
    return times;
}

// The longest step of a restart: dt_max, which is the snapshot's longest step times a power of 2,
// halved until all times asked for are multiples of it.  Particles keep their steps, or get this
// step where theirs are longer, so that all steps are this step times powers of 1/2.
double step_of_restart(double dt_max, const std::vector<Asked> &asked)
{
    for (const auto &[text, time] : asked) {
        const double halved = halved_to_fit(dt_max, {time});
        if (halved == 0) {
            const double near = part_below(dt_max, std::fabs(time) / 4);
            const double below = std::floor(time / near) * near;
            throw usage_error(text + " is no multiple of the restart's longest step " +
                              text_of(dt_max) + ": try " + multiple_text(below, near) + " or " +
                              multiple_text(below + near, near) +
                              ", or give the snapshot to --input, whose steps are computed anew");
        }
        dt_max = halved;
    }
    return dt_max;
}

// The error of times without a common step.  asked[0]: the start; given: by --t-begin.
Error no_common_step(const std::vector<Asked> &asked, bool given)
{
    const Asked &begin = asked[0], &end = asked[1];
    if (!given && common_step(times_of({asked.begin() + 1, asked.end()})) > 0)
        return usage_error("the particles are at t = " + text_of(begin.time) +
                           ", which shares no step with " + end.text +
                           ": give --t-begin, or --cosmology where the file has an expanding "
                           "universe");
    for (const Asked &longer : asked)
        for (const Asked &other : asked)
            if (std::fabs(longer.time) > std::fabs(other.time) &&
                common_step({longer.time, other.time}) == 0)
                return usage_error(longer.text + " is " + text_of(longer.time / other.time) +
                                   " times " + other.text +
                                   ": no step leads to both; make the one a multiple or a simple "
                                   "fraction of the other");
    return usage_error(begin.text + ", " + end.text +
                       " and the other times share no step: make them multiples of one of them");
}

// The longest step of a new run: dt_max or a half, a quarter ... of it if all times fit one of
// them, else common_step() of the times.  Without --table the interval of the table's lines is
// adapted to this step.
void choose_longest(Settings &s, const std::vector<Asked> &asked, bool table_asked, bool given)
{
    std::vector<double> times = times_of(asked);
    if (!table_asked) times.push_back(s.table_every);
    if (const double dt = halved_to_fit(s.dt_max, times); dt > 0) {
        s.dt_max = dt;
        return;
    }
    if (!table_asked) times.pop_back();
    const double step = common_step(times);
    if (step == 0) throw no_common_step(asked, given);
    s.dt_max = part_below(step, s.dt_max);
    if (!table_asked) s.table_every = std::floor(s.table_every / s.dt_max) * s.dt_max;
}

// The default of --dt-min.  It is shorter than that of Settings where the longest step is short,
// and longer where a double could not count it in the times of the run.
double shortest_step(const Settings &s, double begin)
{
    double dt = part_below(s.dt_max, std::min(s.dt_min, kShortestOfMax * s.dt_max));
    while (largest_time(begin, s.t_end) / dt > kMostTicks) dt *= 2;
    return dt;
}

// Refuses initial conditions that need other options.
void check_source(const Options &options, const Snapshot &snapshot)
{
    if (snapshot.expanding && !options.t_begin)
        throw usage_error(
            "the particles are of an expanding universe, a = " + text_of(snapshot.time) +
            ": give --cosmology, or --t-begin to run them in space at rest");
    const double gravity = snapshot.gravity.value_or(1);
    // The tolerance is for constants of nature that differ from program to program.
    if (std::fabs(gravity - 1) > 0.01)
        throw usage_error(options.input + ": in its units G is " + text_of(gravity) +
                          ", and in a run 1: give --gravity " + text_of(gravity) +
                          ", which converts the velocities, or --input-units; --gravity 1 takes "
                          "the numbers as they are");
    if (snapshot.needs_gravity && !snapshot.gravity) {
        const std::string &units = snapshot.units;
        if (!units.empty())
            throw usage_error(options.input +
                              ": the names of its columns have units: give "
                              "--input-units " +
                              units +
                              ", which converts them, or --gravity with the constant of gravity in "
                              "these units");
        throw usage_error(
            options.input +
            ": what it says of units does not tell the constant of gravity: give "
            "--input-units, as --input-units pc,Msun,km/s, to convert its numbers, or "
            "--gravity 1 where G is 1, or --gravity 43009.2 for kpc, 1e10 Msun and "
            "km/s");
    }
}

// Makes all steps dt_max times powers of 1/2, and all times multiples of dt_max, to the last bit.
void put_on_grid(Settings &s, bool given_dt_min, double begin)
{
    if (given_dt_min) {
        const double part = part_below(s.dt_max, s.dt_min);
        s.dt_min = part < s.dt_min ? 2 * part : part;
    } else {
        s.dt_min = shortest_step(s, begin);
    }
    s.dt = part_below(s.dt_max, s.dt);
    for (double *time : {&s.t_end, &s.table_every, &s.snapshot_every})
        *time = on_grid(*time, s.dt_max);
}

}  // namespace

Settings plan(const Options &options, const Snapshot &snapshot)
{
    check_source(options, snapshot);
    Settings s = merge(options, snapshot);
    check_types(options, s);
    check(s, snapshot.types, snapshot.time, options.t_end && !snapshot.held());
    if (snapshot.state && (s.shares_steps() || !goes_on(snapshot, s)))
        check_common_time(snapshot, s);
    const bool table_asked = options.table_every || snapshot.held();
    std::vector<Asked> asked = {{options.said("--t-end", s.t_end), s.t_end}};
    if (table_asked) asked.push_back({options.said("--table", s.table_every), s.table_every});
    if (s.snapshot_every > 0)
        asked.push_back({options.said("--snapshot", s.snapshot_every), s.snapshot_every});
    if (goes_on(snapshot, s)) {
        s.dt_max = step_of_restart(step_below(snapshot.state->settings.dt_max, s.dt_max), asked);
    } else {
        const char *name = options.t_begin ? "--t-begin" : "the time of the particles,";
        const Asked begin = {options.said(name, snapshot.time), snapshot.time};
        asked.insert(asked.begin(), begin);
        choose_longest(s, asked, table_asked, options.t_begin.has_value());
    }
    put_on_grid(s, options.dt_min || snapshot.held(), snapshot.time);
    // A restart with equal steps may begin between two lines of the table.
    if (goes_on(snapshot, s) && s.uses_dt())
        s.dt = step_of_restart(s.dt, {{"t = " + text_of(snapshot.time), snapshot.time}});
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
    if (!snapshot.state) return false;
    const Settings &held = snapshot.state->settings;
    return held.leaps() == settings.leaps() && held.uses_dt() == settings.uses_dt();
}

std::vector<std::string> idle_options(const Options &o, const Settings &s, const std::string &mode)
{
    std::vector<std::string> texts;
    const auto note = [&](bool idle, const char *name, const char *why) {
        if (idle) texts.push_back(std::string(name) + " has no effect: " + why);
    };
    note(o.theta && mode != "treewalk" && s.method != "treecode", "--theta",
         "direct sums have no opening angle; --mode treewalk has");
    note(o.seed && o.plummer == 0 && o.model.empty(), "--seed",
         "it goes with --plummer and --model");
    note(o.group && s.method != "treecode", "--group", "it goes with --method treecode");
    note(o.dt && !s.uses_dt(), "--dt", "it goes with equal steps of --method treewalk or treecode");
    note(o.eta_start && s.leaps(), "--eta-start", "a leapfrog chooses first steps as all others");
    for (const auto &[name, given] :
         {std::pair{"--eta", o.eta.has_value()}, std::pair{"--dt-min", o.dt_min.has_value()}})
        note(given && s.uses_dt(), name, "the leapfrog has the step --dt");
    return texts;
}

std::string short_steps(const Options &o, const Settings &s, double begin)
{
    double usual = std::min({Settings().dt_max, s.table_every, std::fabs(s.t_end)});
    if (s.snapshot_every > 0) usual = std::min(usual, s.snapshot_every);
    if (!o.input_units.empty()) usual = std::min(usual, (s.t_end - begin) / kLines);
    if (o.dt_max || !o.restart.empty() || s.dt_max > kShortPart * usual) return "";
    return "no step above " + text_of(s.dt_max) +
           " leads to all of --t-begin, --t-end, --table and --snapshot, and all bodies take it or "
           "a shorter one; times that are simpler fractions of each other allow longer steps";
}

}  // namespace g6run
