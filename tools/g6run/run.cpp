// SPDX-License-Identifier: MIT
// Goes through the steps of a run, writes its table and its snapshots, and saves its particles when
// it is stopped or its energy goes wrong.
#include "run.h"

#include "block_leapfrog.h"
#include "cosmology_plan.h"
#include "cosmology_run.h"
#include "error.h"
#include "gravity.h"
#include "hints.h"
#include "integrator.h"
#include "leapfrog.h"
#include "plan.h"
#include "run_parts.h"
#include "run_units.h"
#include "start.h"
#include "step_grid.h"
#include "steps_log.h"
#include "stop.h"
#include "table_head.h"
#include "treecode.h"
#include "type_softening.h"
#include "units.h"

#include "../common/parallel.h"
#include "../common/text.h"

#include <g6lib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace g6run {
namespace {

using g6tools::text;

// The work since some moment.  seconds: time of block steps, without energies and files; library:
// the part of this time in calls of the library.
struct Work {
    double blocks = 0, steps = 0, interactions = 0, seconds = 0, library = 0;

    double rate() const { return seconds > 0 ? interactions / seconds * 1e-9 : 0; }
};

std::unique_ptr<Scheme> make_scheme(Gravity &gravity, Snapshot &start, const Settings &s)
{
    const bool resume = goes_on(start, s);
    if (!s.leaps())
        return std::make_unique<Integrator>(gravity, std::move(start.bodies), s, start.time,
                                            resume);
    if (!s.uses_dt())
        return std::make_unique<BlockLeapfrog>(gravity, std::move(start.bodies), s, start.time,
                                               resume, softening_lengths(s, start.types));
    std::unique_ptr<Field> field = make_field(gravity, s.method, s.theta, s.group);
    return std::make_unique<Leapfrog>(std::move(field), std::move(start.bodies), s.dt, start.time,
                                      resume);
}

class Run {
public:
    Run(Parts parts, Snapshot start, const RunState &state);
    int execute();

private:
    void step();
    StepRecord counters() const;
    void outputs();
    void write(const std::string &path, Format format, const Snapshot &snapshot);
    void write_row();
    void write_numbered();
    void write_interrupted();
    void rescue(const Error &cause);
    void check_row(const Row &row) const;
    void give_hints(const Figures &first) const;
    void write_last_good();
    void summary();
    void keep_good();
    Snapshot snapshot() const;
    bool is_due(double interval) const;
    std::string time_text(double time) const { return parts_.table.units().time_text(time); }

    g6tools::Clock clock_;
    Parts parts_;
    RunState state_;
    TypeCounts types_;
    std::optional<StepsLog> log_;
    LoopTimes loops_;  // of the log
    std::unique_ptr<Scheme> scheme_;
    Progress &progress_;
    double time_at_start_;
    Work since_start_, since_row_;
    bool replaced_ = false;  // the files of an earlier run are removed
    Snapshot good_;          // the particles of the last line of the table that was right
};

Run::Run(Parts parts, Snapshot start, const RunState &state)
    : parts_(parts), state_(state), types_(start.types), progress_(parts.progress),
      time_at_start_(start.time)
{
    if (!parts.options.steps_log.empty())
        log_.emplace(parts.options.steps_log,
                     text("g6run %s%s; seconds of the host's clock; table %s", g6_version(),
                          kStepsLogMark, parts.folder.table().c_str()));
    const std::string first = text("first forces of %zu particles", start.bodies.size());
    progress_.say(first);
    parts.gravity.tell([&](double done, double seconds) {
        progress_.say(first, done, seconds);
        if (stop_requested())
            throw Error("stopped at its first forces, which leave nothing to go on from",
                        kExitInterrupted);
    });
    scheme_ = make_scheme(parts.gravity, start, state.settings);
    parts.gravity.tell(nullptr);
    report_errors(parts.gravity, progress_);
    if (log_) scheme_->measure(&loops_);
    if (!start.state) {
        const Figures first = figures(scheme_->bodies(), scheme_->potentials());
        state_.energy = first.energy();
        give_hints(first);
        write_row();
        write_numbered();
    }
    keep_good();
    progress_.start(time_at_start_, state_.settings.t_end, parts.table.units());
}

void Run::give_hints(const Figures &first) const
{
    if (parts_.options.quiet) return;
    progress_.erase();
    for (const std::string &hint : hints(first, scheme_->bodies(), state_.settings, time_at_start_))
        std::fprintf(stderr, "g6run: %s\n", hint.c_str());
    const std::string hint = short_steps(parts_.options, state_.settings, time_at_start_);
    if (!hint.empty()) std::fprintf(stderr, "g6run: %s\n", hint.c_str());
}

// Copies the bodies into memory that is already allocated: a million bodies take 128 MB.
void Run::keep_good()
{
    const std::vector<Body> &bodies = scheme_->bodies();
    good_.time = scheme_->time();
    good_.types = types_;
    good_.state = state_;
    good_.bodies.resize(bodies.size());
    g6tools::parallel_for(bodies.size(), 1024, [&](std::size_t k) { good_.bodies[k] = bodies[k]; });
}

Snapshot Run::snapshot() const
{
    Snapshot s;
    s.time = scheme_->time();
    s.bodies = scheme_->bodies();
    s.types = types_;
    s.state = state_;
    return s;
}

// Once the first file of this run is complete, the files of an earlier run are replaced.
void Run::write(const std::string &path, Format format, const Snapshot &snapshot)
{
    write_snapshot(path, format, snapshot);
    if (replaced_) return;
    parts_.table.publish();
    remove_earlier(parts_, static_cast<int>(state_.snapshots), path);
    replaced_ = true;
}

void Run::write_numbered()
{
    const Format format = parts_.options.format;
    const std::string path = parts_.folder.snapshot(static_cast<int>(state_.snapshots), format);
    Snapshot s = snapshot();
    s.state->snapshots++;
    write(path, format, s);
    state_.snapshots++;
}

void Run::write_interrupted()
{
    const std::string path = parts_.folder.interrupted();
    write(path, Format::kHdf5, snapshot());
    progress_.erase();
    std::fprintf(stderr, "g6run: stopped at t = %s; go on with: g6run --restart %s\n",
                 time_text(scheme_->time()).c_str(), path.c_str());
}

// Saves the particles after a failed block step, which has not changed them, or a failed output.
void Run::rescue(const Error &cause)
{
    try {
        if (cause.status() == kExitWrongPhysics)
            write_last_good();
        else
            write_interrupted();
    } catch (const Error &error) {
        std::fprintf(stderr, "g6run: %s\n", error.what());
    }
}

void Run::check_row(const Row &row) const
{
    const Figures &f = row.figures;
    const std::string when = "at t = " + time_text(scheme_->time());
    if (!f.finite()) throw Error(when + " the energy or a radius is not finite", kExitWrongPhysics);
    const double error = std::fabs(row.error), limit = state_.settings.max_error;
    if (error > limit)
        throw Error(text("%s |dE/E| = %.3g is above --max-error %s; try a larger --eps, or a "
                         "smaller --eta or --dt",
                         when.c_str(), error, text_of(limit).c_str()),
                    kExitWrongPhysics);
}

// The present particles cannot be right: writes those of the last line of the table that was right.
void Run::write_last_good()
{
    const std::string path = parts_.folder.last_good();
    write(path, Format::kHdf5, good_);
    progress_.erase();
    std::fprintf(stderr, "g6run: the particles of t = %s, the last good ones, are in %s\n",
                 time_text(good_.time).c_str(), path.c_str());
}

void Run::write_row()
{
    Row row;
    row.time = scheme_->time();
    row.figures = figures(scheme_->bodies(), scheme_->potentials());
    state_.potential = std::max(state_.potential, std::fabs(row.figures.potential));
    row.error = energy_error(row.figures.energy(), state_.energy, state_.potential);
    row.blocks = state_.blocks;
    row.steps = state_.steps;
    row.rate = since_row_.rate();
    since_row_ = Work();
    state_.worst = std::max(state_.worst, std::fabs(row.error));
    progress_.erase();
    parts_.table.row(row);
    check_row(row);
}

bool Run::is_due(double interval) const
{
    const double time = scheme_->time(), step = state_.settings.dt_max;
    if (time == state_.settings.t_end) return true;
    return interval > 0 && std::fmod(multiples_in(time, step), multiples_in(interval, step)) == 0;
}

void Run::outputs()
{
    const bool row = is_due(state_.settings.table_every);
    if (row) {
        write_row();
        parts_.table.publish();
        if (log_) log_->flush();
    }
    if (is_due(state_.settings.snapshot_every)) write_numbered();
    if (row) keep_good();
}

// Sums so far; the record of a step is the difference of two of them.
StepRecord Run::counters() const
{
    const Gravity &gravity = parts_.gravity;
    return {scheme_->time(),        0,
            gravity.interactions(), clock_.seconds(),
            gravity.sending(),      loops_.predicting,
            gravity.waiting(),      loops_.correcting};
}

void Run::step()
{
    const StepRecord before = counters();
    const double size = scheme_->step();
    report_errors(parts_.gravity, progress_);
    const StepRecord step = counters().since(before, size);
    state_.blocks++;
    state_.steps += size;
    for (Work *work : {&since_start_, &since_row_}) {
        work->blocks++;
        work->steps += size;
        work->interactions += step.interactions;
        work->seconds += step.seconds;
        work->library += step.sending + step.waiting;
    }
    if (log_) log_->write(step, parts_.table.units().time);
}

int Run::execute()
{
    while (scheme_->time() < state_.settings.t_end) {
        if (stop_requested()) {
            write_interrupted();
            return kExitInterrupted;
        }
        try {
            step();
            if (is_multiple_of(scheme_->time(), state_.settings.dt_max)) outputs();
        } catch (const Error &error) {
            rescue(error);
            throw;
        }
        progress_.update(scheme_->time(), since_start_.steps, since_start_.interactions);
    }
    progress_.erase();
    summary();
    note_interrupted(parts_);
    return kExitOk;
}

void Run::summary()
{
    const Work &w = since_start_;
    const double wall = clock_.seconds(), span = scheme_->time() - time_at_start_;
    Table &table = parts_.table;
    const TableUnits &units = table.units();
    table.note(
        text("t = %s to %s in %.4g s of wall time; steps take %.4g s %s",
             text_of(time_at_start_ * units.time).c_str(), time_text(scheme_->time()).c_str(), wall,
             w.seconds / (span * units.time),
             units.time_name.empty() ? "a unit of time" : ("per " + units.time_name).c_str()));
    table.note(text("library %.4g s, integration %.4g s, start and output %.4g s", w.library,
                    w.seconds - w.library, wall - w.seconds));
    table.note(text("%.0f block steps of %.4g ms, %.0f particle steps (%.1f a block)", w.blocks,
                    1e3 * w.seconds / w.blocks, w.steps, w.steps / w.blocks));
    table.note(text("%.4g interactions, %.4g Ginter/s, backend %s", w.interactions, w.rate(),
                    parts_.gravity.backend().c_str()));
    table.note(text("max |dE/E| = %.3e", state_.worst));
    if (scheme_->clamped() > 0)
        table.note(text("%.0f steps were held at --dt-min %s: the energy error may come from there",
                        scheme_->clamped(), text_of(state_.settings.dt_min).c_str()));
}

// Options and settings that this run does not use.
std::vector<std::string> idle_texts(const Options &o, const Settings &s, const Gravity &gravity)
{
    std::vector<std::string> texts = idle_options(o, s, gravity.setting("mode"));
    if (computing_precision(s, gravity.backend()) != s.precision)
        texts.push_back("precision " + s.precision + " has no effect: mixed computes here");
    return texts;
}

// A restart that continues a table keeps the units of that table.
void check_table_units(const Settings &held, const Settings &s)
{
    const TableUnits had = table_units(held.table_units, held.units),
                     has = table_units(s.table_units, s.units);
    if (had.time != has.time || had.length != has.length || had.energy != has.energy)
        throw usage_error("with these --table-units or --units the table that goes on would have "
                          "two kinds of units; give --output, too");
}

// A run that ends where it begins has no steps, forces, energies or table: it only writes its
// particles to a file.
int write_start(const Options &options, const OutputFolder &folder, const Settings &settings,
                Snapshot start)
{
    start.settings = settings;
    const FolderLock lock = folder.create();
    const std::string path = folder.snapshot(0, options.format);
    write_snapshot(path, options.format, start);
    folder.remove_earlier(0, false, path);
    std::remove(folder.table().c_str());
    if (options.quiet) return kExitOk;
    std::printf("# %zu particles, t = %s: %s\n", start.bodies.size(),
                table_units(settings.table_units, settings.units).time_text(start.time).c_str(),
                path.c_str());
    if (!start.note.empty()) std::printf("# %s\n", start.note.c_str());
    return kExitOk;
}

}  // namespace

int run(const Options &given)
{
    if (is_cosmic(given)) return run_cosmology(given);
    if (given.cosmic.any())
        throw usage_error("--z-..., --n-steps, --step-in, --sphere, --multipole and "
                          "--eps-comoving-until go with --cosmology");
    Progress progress(given.quiet);
    progress.say(source_action(given));
    Options options = given;
    if (options.restart.empty()) use_units(options, nullptr);
    Snapshot start = initial_conditions(options);
    if (!options.restart.empty()) use_units(options, start.held());
    convert_input(options, start);
    catch_stop_signals();
    RunState state = start.state.value_or(RunState());
    state.settings = plan(options, start);
    if (!goes_on(start, state.settings)) start.time = on_grid(start.time, state.settings.dt_max);
    check_physics(start, state.settings);

    const OutputFolder folder(output_path(options, start.state.has_value()));
    const bool continues = start.state && folder.holds(options.restart);
    if (continues) check_table_units(start.state->settings, state.settings);
    const int first = static_cast<int>(state.snapshots);
    folder.check(first, continues, options.overwrite, options.damaged, source_name(options));
    StepsLog::check(options.steps_log, options.overwrite, folder);

    Settings &s = state.settings;
    progress.erase();
    if (!options.quiet)
        for (const std::string &hint : model_hints(start, s))
            std::fprintf(stderr, "g6run: %s\n", hint.c_str());
    if (s.t_end == start.time) {
        return write_start(options, folder, s, std::move(start));
    }
    const bool walks = s.mode == "treewalk" && s.theta >= 0;
    Gravity gravity(options.backend, s.precision, s.mode, s.eps, walks ? text_of(s.theta) : "",
                    !s.leaps());
    gravity.soften_each(softening_lengths(s, start.types));
    s.precision = gravity.setting("precision");
    s.mode = gravity.setting("mode");
    if (s.mode == "treewalk") {
        s.theta = std::stod(gravity.setting("theta"));
        gravity.use_criterion(s.mac);
        s.mac = gravity.setting("mac");
        gravity.use_multipole(s.multipole);
        s.multipole = gravity.setting("multipole");
    }
    if (s.method == "treecode" && s.group == 0) s.group = usual_group(gravity.backend());
    std::vector<std::string> texts = idle_texts(options, s, gravity);
    if (const std::string empty = empty_types(options.eps_types, start.types); !empty.empty())
        texts.push_back("--eps-type names types without particles: " + empty);
    report_idle(options, gravity, texts);

    progress.erase();
    const FolderLock lock = folder.create();
    Table table(folder.table(), options.quiet, continues, start.time,
                table_units(s.table_units, s.units), s.table_every);
    write_head(table, options, start, state, gravity);
    Run run({options, folder, gravity, table, progress, continues}, std::move(start), state);
    return run.execute();
}

}  // namespace g6run
