// SPDX-License-Identifier: MIT
// Goes through the steps of a cosmological run, writes its table and its snapshots, and saves its
// particles when it is stopped or a step goes wrong.
#include "cosmology_run.h"

#include "cosmology_plan.h"
#include "error.h"
#include "run_parts.h"
#include "snapshot_writer.h"
#include "start.h"
#include "stop.h"
#include "treecode.h"

#include "../common/text.h"

#include <g6lib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace g6run {
namespace {

using g6tools::text;

constexpr int kStretches = 64;  // parts of a run; each has a line on the terminal

std::unique_ptr<Field> field_of(Gravity &gravity, const CosmicSettings &s)
{
    return make_field(gravity, s.method, s.theta, s.group);
}

class CosmicRun {
public:
    CosmicRun(const Parts &parts, CosmicStart start);
    int execute();

private:
    void begin(bool goes_on);
    void step(bool rest);
    void row(const CosmicEnergies &energies, double interactions, double seconds);
    bool is_shown();
    bool is_output(int step) const;
    bool ends_stretch(int step) const { return step % stretch_ == 0; }
    void record();
    void keep();
    void write_numbered();
    void write(const std::string &path);
    void replace_earlier(const std::string &first);
    void interrupt();
    void rescue(const Error &cause);
    int advance();
    void summary();
    int done() const { return leapfrog_.steps_done(); }
    int last() const { return static_cast<int>(state_.settings.steps); }

    g6tools::Clock clock_;
    Parts parts_;
    CosmicState state_;
    ExpansionSteps steps_;
    CosmicEnergy energy_;
    ComovingLeapfrog leapfrog_;
    SnapshotWriter writer_;
    std::vector<int> outputs_;  // steps whose ends are nearest to the redshifts asked for
    int first_step_;
    int stretch_;     // number of steps of a stretch
    int shown_ = -1;  // the stretch whose line was shown last on the terminal
    double interactions_ = 0, seconds_ = 0, library_ = 0;  // of this program's steps
    bool replaced_ = false;  // the files of an earlier run are removed
};

CosmicRun::CosmicRun(const Parts &parts, CosmicStart start)
    : parts_(parts), state_(std::move(start.snapshot.state)),
      steps_(expansion_steps(state_.settings)),
      energy_(state_.settings.cosmology, state_.settings.force()),
      leapfrog_(parts.gravity, field_of(parts.gravity, state_.settings),
                std::move(start.snapshot.particles), steps_, state_.settings.force(),
                static_cast<int>(state_.step)),
      first_step_(static_cast<int>(state_.step)), stretch_((last() + kStretches - 1) / kStretches)
{
    for (double z : state_.settings.outputs) outputs_.push_back(steps_.nearest(scale_factor(z)));
    begin(start.goes_on);
    parts_.progress.start(state_.step, state_.settings.steps);
}

void CosmicRun::begin(bool goes_on)
{
    if (goes_on) {
        energy_.resume(state_.energy);
        return keep();
    }
    parts_.progress.say(text("first force of %zu particles", leapfrog_.particles().size()));
    leapfrog_.first_force();
    const CosmicEnergies e = energy_.start(leapfrog_.a(), leapfrog_.sums());
    row(e, parts_.gravity.interactions(), parts_.gravity.seconds());
    write_numbered();
}

bool CosmicRun::is_output(int step) const
{
    const auto every = static_cast<int>(state_.settings.snapshot_every);
    return step == last() || (every > 0 && step % every == 0) ||
           std::find(outputs_.begin(), outputs_.end(), step) != outputs_.end();
}

// Once the first file of this run is whole, its table appears, and the files of an earlier run are
// removed.
void CosmicRun::replace_earlier(const std::string &first)
{
    if (replaced_) return;
    writer_.settle();
    parts_.table.publish();
    remove_earlier(parts_, static_cast<int>(state_.snapshots), first);
    replaced_ = true;
}

void CosmicRun::record()
{
    state_.energy = energy_.state();
    state_.step = done();
}

// Keeps a copy of the particles, which rescue() writes if a later step fails.  Writing a snapshot
// keeps a copy, too.
void CosmicRun::keep()
{
    record();
    writer_.keep(leapfrog_.a(), leapfrog_.particles(), state_);
}

void CosmicRun::write(const std::string &path)
{
    record();
    writer_.start(path, leapfrog_.a(), leapfrog_.particles(), state_);
    replace_earlier(path);
}

void CosmicRun::write_numbered()
{
    const auto number = static_cast<int>(state_.snapshots);
    state_.snapshots++;
    write(parts_.folder.snapshot(number, Format::kHdf5));
}

// The terminal shows all lines that --table asks for; without --table it shows the first of each
// stretch, and the last.
bool CosmicRun::is_shown()
{
    if (parts_.options.table_every || done() == last()) return true;
    const int stretch = done() / stretch_;
    if (stretch == shown_) return false;
    shown_ = stretch;
    return true;
}

void CosmicRun::row(const CosmicEnergies &e, double interactions, double seconds)
{
    const Cosmology &c = state_.settings.cosmology;
    const double a = leapfrog_.a();
    const bool shown = is_shown();
    if (shown) parts_.progress.erase();
    parts_.table.line(text("%7d %10.6f %10.8f %9.6f %14.7e %14.7e %10.3e %10.3e %13.6e %9.4f",
                           done(), redshift(a), a, c.gyr(c.age(a)), e.kinetic, e.potential,
                           e.layzer_irvine_error, e.total_error, interactions, seconds),
                      shown);
    if (!std::isfinite(e.kinetic + e.potential))
        throw Error(text("at z = %.6g the energy is not finite", redshift(a)), kExitWrongPhysics);
}

void CosmicRun::step(bool rest)
{
    const g6tools::Clock clock;
    const double summed = parts_.gravity.interactions(), called = parts_.gravity.seconds();
    leapfrog_.step(rest);
    report_errors(parts_.gravity, parts_.progress);
    const CosmicEnergies e = energy_.add(leapfrog_.a(), leapfrog_.sums());
    const double interactions = parts_.gravity.interactions() - summed, seconds = clock.seconds();
    interactions_ += interactions;
    state_.interactions += interactions;
    seconds_ += seconds;
    library_ += parts_.gravity.seconds() - called;
    const double error = std::fabs(e.layzer_irvine_error);
    state_.worst = std::max(state_.worst, error);
    state_.worst_total = std::max(state_.worst_total, std::fabs(e.total_error));
    const bool due = done() % static_cast<int>(state_.settings.table_every) == 0;
    if (due || done() == last()) row(e, interactions, seconds);
    const double limit = state_.settings.max_error;
    if (limit > 0 && error > limit)
        throw Error(text("at z = %.6g the error of the energy equation, %.3g, is above --max-error "
                         "%s; try more --n-steps, a smaller --theta or a larger --eps",
                         redshift(leapfrog_.a()), error, text_of(limit).c_str()),
                    kExitWrongPhysics);
}

void CosmicRun::interrupt()
{
    const std::string path = parts_.folder.interrupted();
    write(path);
    writer_.settle();
    parts_.progress.erase();
    std::fprintf(stderr, "g6run: stopped at z = %.6g; go on with: g6run --restart %s\n",
                 redshift(leapfrog_.a()), path.c_str());
}

// Writes the copy of the particles after a step that failed, for whatever reason.
void CosmicRun::rescue(const Error &cause)
{
    try {
        const bool wrong = cause.status() == kExitWrongPhysics;
        const std::string path = wrong ? parts_.folder.last_good() : parts_.folder.interrupted();
        writer_.write_kept(path);
        replace_earlier(path);
        parts_.progress.erase();
        std::fprintf(stderr, "g6run: the particles of z = %.6g, the last good ones, are in %s\n",
                     redshift(writer_.kept().a), path.c_str());
    } catch (const Error &error) {
        std::fprintf(stderr, "g6run: %s\n", error.what());
    }
}

int CosmicRun::advance()
{
    while (done() < last()) {
        const bool stop = stop_requested();
        // The particles can be written only at the end of a step.
        if (stop && leapfrog_.rests()) {
            interrupt();
            return kExitInterrupted;
        }
        const bool output = is_output(done() + 1), kept = ends_stretch(done() + 1);
        step(output || kept || stop);
        if (output)
            write_numbered();
        else if (kept)
            keep();
        parts_.progress.update_expansion(redshift(leapfrog_.a()), done(), interactions_);
    }
    writer_.settle();
    return kExitOk;
}

int CosmicRun::execute()
{
    int status = kExitOk;
    try {
        status = advance();
    } catch (const Error &error) {
        rescue(error);
        throw;
    }
    if (status != kExitOk) return status;
    parts_.progress.erase();
    summary();
    note_interrupted(parts_);
    return kExitOk;
}

void CosmicRun::summary()
{
    const double wall = clock_.seconds(), steps = done() - first_step_;
    Table &table = parts_.table;
    table.note(
        text("z = %.6g in %.4g s of wall time: library %.4g s, integration %.4g s, start and "
             "output %.4g s",
             redshift(leapfrog_.a()), wall, library_, seconds_ - library_, wall - seconds_));
    table.note(text("%.0f steps of %.4g ms, %.4g interactions, %.4g Ginter/s, backend %s", steps,
                    1e3 * seconds_ / steps, interactions_,
                    seconds_ > 0 ? 1e-9 * interactions_ / seconds_ : 0,
                    parts_.gravity.backend().c_str()));
    table.note(text("max error of Layzer and Irvine's equation %.3e, of the total energy %.3e",
                    state_.worst, state_.worst_total));
}

std::string softening_text(const CosmicSettings &s)
{
    const double z = redshift(s.eps_until), h = s.cosmology.h;
    if (s.eps_until >= 1) return text("eps %.6g kpc comoving", s.eps / s.eps_until / h);
    if (s.eps_until <= s.a_begin) return text("eps %.6g kpc physical", s.eps / h);
    return text("eps %.6g kpc comoving to z = %.6g, %.6g kpc physical from there on",
                s.eps / s.eps_until / h, z, s.eps / h);
}

void write_head(Table &table, const CosmicStart &start, const Gravity &gravity)
{
    const CosmicSettings &s = start.snapshot.state.settings;
    const Cosmology &c = s.cosmology;
    table.note(text("g6run %s: %zu particles, z = %.6g to %.6g, %s", g6_version(),
                    start.snapshot.particles.size(), redshift(start.snapshot.a), redshift(s.a_end),
                    softening_text(s).c_str()));
    table.note(text("cosmology Omega_m %g, Omega_Lambda %g, h %g", c.omega_m, c.omega_l, c.h));
    for (const std::string &note : start.notes) table.note(note);
    const std::string multipole = s.method == "treewalk" ? ", multipole " + s.multipole : "";
    table.note(text("method %s, %.0f steps equal in %s, %s%s", s.method.c_str(), s.steps,
                    s.step_in.c_str(), opening_text(gravity, s.method, s.theta, s.group).c_str(),
                    multipole.c_str()));
    table.note(text("backend %s, device %s, precision %s, mode %s", gravity.backend().c_str(),
                    gravity.device().c_str(), s.precision.c_str(), s.mode.c_str()));
    table.note(
        "energies in 1e10 Msun/h (km/s)^2, of peculiar motion and of fluctuations; errors of "
        "the equation of Layzer and Irvine and of the total energy");
    table.line("#  step          z          a  age[Gyr]        kinetic      potential   LI error"
               "    E error  interactions   seconds");
}

}  // namespace

int run_cosmology(const Options &options)
{
    Progress progress(options.quiet);
    progress.say("reading " + (options.restart.empty() ? options.input : options.restart));
    CosmicStart start = plan_cosmology(options);
    catch_stop_signals();
    CosmicSettings &s = start.snapshot.state.settings;
    const OutputFolder folder(output_path(options, start.goes_on));
    const bool continues = start.goes_on && folder.holds(options.restart);
    folder.check(static_cast<int>(start.snapshot.state.snapshots), continues, options.overwrite,
                 options.damaged, source_name(options));

    const bool walks = s.method == "treewalk" && s.theta >= 0;
    Gravity gravity(options.backend, s.precision, s.mode, s.eps, walks ? text_of(s.theta) : "",
                    false);
    s.precision = gravity.setting("precision");
    if (s.method == "treecode" && s.group == 0) s.group = usual_group(gravity.backend());
    if (s.method == "treewalk") {
        gravity.use_multipole(s.multipole);
        s.multipole = gravity.setting("multipole");
        gravity.use_criterion(s.mac);
        s.mac = gravity.setting("mac");
    }
    report_idle(options, gravity);

    progress.erase();
    const FolderLock lock = folder.create();
    Table table(folder.table(), options.quiet, continues, start.snapshot.state.step);
    write_head(table, start, gravity);
    CosmicRun run({options, folder, gravity, table, progress, continues}, std::move(start));
    return run.execute();
}

}  // namespace g6run
