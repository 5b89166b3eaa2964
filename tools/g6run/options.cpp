// SPDX-License-Identifier: MIT
// Reads the command line of g6run, has its help text, and checks rules that involve several
// options.
#include "options.h"

#include "error.h"
#include "units.h"

#include "../common/command_line.h"
#include "../common/models.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>

namespace g6run {
namespace {

constexpr const char *kAbout =
    "Integrates a star cluster with the fourth-order Hermite scheme and block time steps; forces\n"
    "come from libg6gpu.  Units: G = 1; a Plummer sphere has M = 1, E near -1/4.\n"
    "With --cosmology it runs a sphere of an expanding universe by a comoving leapfrog.\n"
    "Writes a table of energies and radii, and snapshots; a run that goes on from a snapshot "
    "gives\n"
    "the same bits as one that never stopped.";

constexpr const char *kExamples =
    "Examples:\n"
    "  g6run --plummer 4096 --eps 1/256 --t-end 1\n"
    "  g6run --model king:W0=6 --bodies 8192 --eps 1/256 --t-end 10\n"
    "  g6run --input cluster.txt --eta 0.005 --t-end 10 --snapshot 1 --output cluster-run\n"
    "  g6run --input stars.txt --input-units pc,Msun,km/s --t-end 10Myr --snapshot 1Myr\n"
    "  g6run --restart run-out/interrupted.hdf5        the rest of a run stopped by Ctrl-C\n"
    "  g6run --restart run-out/snapshot_0001.hdf5 --t-end 2\n"
    "  g6run --cosmology --input ics.hdf5 --sphere 45Mpc --eps 4kpc --z-out 8.9,2.5,0.93\n"
    "A time or a length may have a unit where the run has --units, as 10Myr or 0.01pc.  Block "
    "steps\n"
    "are dt-max times powers of 1/2; dt-max is shortened until t-begin, t-end, table and snapshot "
    "are\n"
    "multiples of it.\n"
    "Ctrl-C, SIGTERM and SIGHUP end a run with interrupted.hdf5.  A closed pipe does not end it.\n"
    "Exit status: 0 done, 1 a failure, 2 a wrong option, 130 interrupted; 3 the particles, a force "
    "or\n"
    "the energy cannot be right (see --max-error; last_good.hdf5 has the particles before that).";

// Accepts a whole number of 64 bits.  A double would round it, and CLI11 would replace
// a number that is too large by the largest one.
CLI::Validator seed()
{
    const auto check = [](std::string &text) -> std::string {
        errno = 0;
        const unsigned long long value = std::strtoull(text.c_str(), nullptr, 10);
        if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || errno)
            return "'" + text + "' is not a whole number from 0 to 18446744073709551615";
        text = std::to_string(value);
        return "";
    };
    return CLI::Validator(check, "");
}

class Adder {
public:
    Adder(CLI::App &app, std::string group) : app_(app), group_(std::move(group)) {}

    CLI::Option *number(const std::string &name, std::optional<double> &value,
                        const std::string &help, const std::string &fallback)
    {
        return text(name, value, help, fallback)
            ->transform(g6tools::fraction())
            ->type_name("NUMBER");
    }
    template <class T>
    CLI::Option *text(const std::string &name, T &value, const std::string &help,
                      const std::string &fallback = "")
    {
        const std::string end = fallback.empty() ? "" : " [" + fallback + "]";
        return app_.add_option(name, value, help + end)->group(group_);
    }
    // A number, or a number with a unit, which use_units() converts to the units of the run.
    void time(const std::string &name, Options &o, std::optional<double> Options::*value,
              const std::string &help, const std::string &fallback)
    {
        const auto read = [&o, value, name](const std::string &given) {
            std::string text = given;
            if (const std::string wrong = g6tools::fraction()(text); wrong.empty())
                o.*value = std::strtod(text.c_str(), nullptr);
            else if (size_of(given, Dimension::kTime))
                o.measures[name] = given;
            else
                throw CLI::ValidationError(name, wrong + ", nor a time with one of the units " +
                                                     unit_names(Dimension::kTime));
        };
        const std::string end = fallback.empty() ? "" : " [" + fallback + "]";
        app_.add_option_function<std::string>(name, read, help + end)
            ->group(group_)
            ->type_name("TIME");
    }
    void flag(const std::string &name, bool &value, const std::string &help)
    {
        app_.add_flag(name, value, help)->group(group_);
    }

private:
    CLI::App &app_;
    std::string group_;
};

void add_source(CLI::App &app, Options &o)
{
    Adder add(app, "Initial conditions (one of plummer, model, input, restart)");
    add.text("--plummer", o.plummer, "Plummer sphere of N bodies")
        ->transform(g6tools::whole_number(2, std::numeric_limits<int>::max()))
        ->type_name("N");
    add.text("--model", o.model,
             "Another model, of --bodies N; with parameters as king:W0=6 or nfw:c=10,scale=2")
        ->type_name(g6tools::choices(g6tools::model_names()));
    add.text("--bodies", o.count, "Bodies of --model")
        ->transform(g6tools::whole_number(2, std::numeric_limits<int>::max()))
        ->type_name("N");
    add.text("--input", o.inputs,
             "Text table (m x y z vx vy vz, as CSV too; - for standard input) or Gadget-style HDF5 "
             "file; its steps are computed anew")
        ->expected(1, std::numeric_limits<int>::max())
        ->type_name("FILE");
    add.number("--gravity", o.gravity,
               "Constant of gravity in the units of --input; the run has 1, and divides the "
               "velocities by the root of this number",
               "1; needed where the file has another");
    add.text("--input-units", o.input_units,
             "Units of --input, as pc,Msun,km/s; without --units the run keeps its lengths and "
             "velocities, and masses follow from G = 1",
             "G = 1, as all runs have")
        ->type_name("LENGTH,MASS,VELOCITY");
    add.text("--restart", o.restart,
             "Snapshot of an earlier run to go on from, or its folder for the newest one that is "
             "whole; options that are not given have the values of that run, but for --format and "
             "those that concern the call alone: --backend, --quiet, --strict, --overwrite, "
             "--steps-log")
        ->type_name("FILE|FOLDER");
    add.text("--seed", o.seed, "Seed of --plummer or --model", "1")
        ->transform(seed())
        ->type_name("S");
}

void add_scheme(CLI::App &app, Options &o)
{
    Adder add(app, "Integration");
    add.time("--t-end", o, &Options::t_end,
             "Time at which the run ends, as 2.5 or 10Myr; if it is that of the start, "
             "the particles are only written",
             "1");
    add.time("--t-begin", o, &Options::t_begin, "Time at which --input starts", "the file's, or 0");
    add.text("--eps", o.cosmic.eps,
             "Softening length; also as 1/256 or 0.01pc.  With --cosmology the length of today, as "
             "4kpc",
             "0; a leapfrog of a model: half the mean distance of the bodies in the middle")
        ->type_name("NUMBER");
    add.text("--eps-type", o.eps_types,
             "Softening lengths of pairs of one particle type, by Gadget's numbers of the types, "
             "as 1=0.02,2=5pc; a pair of two types has the root of the mean of both squares",
             "--eps")
        ->type_name("TYPE=LENGTH,...");
    add.number("--eta", o.eta,
               "Accuracy parameter of Aarseth's time step; of block steps of a leapfrog, which are "
               "eta sqrt(eps/|a|)",
               "0.01; 0.25 with a leapfrog");
    add.number("--eta-start", o.eta_start, "First steps are eta-start times |a|/|jerk| or less",
               "sqrt(eta)/4");
    add.time("--dt-max", o, &Options::dt_max, "Longest step",
             "1/8, or shorter to fit the times; with --input-units about a 64th of the run");
    add.time("--dt-min", o, &Options::dt_min,
             "Shortest step, rounded up to dt-max times a power of 1/2", "2^-40");
    add.text("--method", o.method,
             "hermite: Hermite scheme; treewalk: leapfrog, forces from the library's tree; "
             "treecode: leapfrog with equal steps, the library sums interaction lists of g6run's "
             "own tree",
             "hermite")
        ->check(g6tools::one_of({"hermite", "treewalk", "treecode"}))
        ->type_name("hermite|treewalk|treecode");
    add.text("--steps", o.steps,
             "block: each particle has its own step; shared: all particles have the shortest of "
             "these, with a leapfrog --dt",
             "block; shared with a leapfrog")
        ->check(g6tools::one_of({"block", "shared"}))
        ->type_name("block|shared");
    add.time("--dt", o, &Options::dt,
             "Equal steps of both leapfrog methods, rounded down to dt-max times a power of 1/2",
             "1/256; of --input 1/128 of a fall through the system, if shorter or with "
             "--input-units");
    add.number("--theta", o.theta, "Opening angle of --mode treewalk and of both tree methods",
               "the library's; 0.75 with treecode")
        ->check(g6tools::zero_or_positive());
    add.number("--group", o.group, "Method treecode: most bodies that share an interaction list",
               "8192 on a GPU, 1024 on the processor");
    add.number("--max-error", o.max_error,
               "The run ends with status 3 when a line of the table has a larger |dE/E|",
               "1; 0.01 with a leapfrog");
}

void add_cosmology(CLI::App &app, Options &o)
{
    CosmicOptions &c = o.cosmic;
    Adder add(app, "Expanding universe (--input: Gadget-style HDF5; a length is comoving, as 45Mpc "
                   "or 30Mpc/h, in Mpc without a unit)");
    add.text("--cosmology", c.cosmology,
             "Run a sphere in an expanding universe: Omega_matter, Omega_Lambda and h, or those of "
             "the file's header when nothing follows")
        ->expected(0, 1)
        ->type_name("OM,OL,H");
    add.text("--sphere", c.sphere, "Cut a sphere of this radius out of the input")
        ->type_name("LENGTH");
    add.text("--sphere-centre", c.centre, "Its middle", "that of the box, or 0,0,0 without BoxSize")
        ->type_name("X,Y,Z");
    add.number("--z-begin", c.z_begin, "Redshift of an --input whose header has none", "");
    add.number("--z-end", c.z_end, "Redshift at which the run ends", "0");
    add.text("--n-steps", c.n_steps, "Number of steps from the start to --z-end", "1024")
        ->transform(g6tools::whole_number(1, 1e7))
        ->type_name("N");
    add.text("--step-in", c.step_in, "What is equal in all steps: time, scale factor, its log", "a")
        ->check(g6tools::one_of({"time", "a", "loga"}))
        ->type_name("time|a|loga");
    add.text("--z-out", c.z_out,
             "Redshifts of snapshots, falling, as 8.9,2.5,0, or a file of them; each is written at "
             "the end of the step nearest to it",
             "the first and the last")
        ->type_name("LIST|FILE");
    add.number("--eps-comoving-until", c.eps_comoving_until,
               "--eps is a comoving length until this redshift and a physical one afterwards; "
               "physical always: the redshift of the start or more",
               "0");
    add.text("--multipole", c.multipole,
             "Method treewalk; 2: cells with quadrupoles, 0: without, which makes the sphere as a "
             "whole collapse too fast at high redshifts",
             "G6_MULTIPOLE, or 2")
        ->check(g6tools::one_of({"0", "2"}))
        ->type_name("0|2");
}

void add_library(CLI::App &app, Options &o)
{
    Adder add(app, "Force (default: as the library chooses, or G6_* variables)");
    add.text("--backend", o.backend, "What computes the forces")
        ->type_name("cuda|opencl|cpu|mpi|auto");
    add.text("--precision", o.precision, "Precision of the forces, see man g6lib")
        ->type_name("mixed|double|single");
    add.text("--mode", o.mode, "hermite: direct sums; treewalk: a tree")
        ->type_name("hermite|treewalk");
    add.flag(
        "--strict", o.strict,
        "End with status 2 when a G6_* setting or an option is unknown or not possible, or has "
        "no effect");
}

void add_output(CLI::App &app, Options &o)
{
    static const std::map<std::string, Format> formats = {{"hdf5", Format::kHdf5},
                                                          {"text", Format::kText}};
    Adder add(app, "Output");
    add.text("--output", o.output, "Folder for table.txt and snapshot_NNNN.*",
             "run-out; with --restart of an hdf5 file the folder of that file")
        ->type_name("FOLDER");
    add.flag("--overwrite", o.overwrite,
             "Replace the files of an earlier run in that folder, once the first new one is whole");
    add.time(
        "--table", o, &Options::table_every,
        "Time between the table's lines; with --cosmology steps",
        "1/8 or dt-max, the larger; with --input-units about a 64th of the run; 1 step, of which "
        "the terminal shows 64 and the last");
    add.text("--steps-log", o.steps_log,
             "Write a line for each step: its size, interactions, and the seconds of sending, "
             "prediction, waiting and correction; not kept by --restart")
        ->type_name("FILE");
    add.time("--snapshot", o, &Options::snapshot_every,
             "Time between snapshots, with --cosmology steps; 0: first and last only", "0");
    add.text("--format", o.format,
             "Snapshots as hdf5 or text; only hdf5 restarts exactly, text keeps the settings",
             "hdf5")
        ->transform(CLI::Transformer(formats).description(""))
        ->transform(g6tools::one_of({"hdf5", "text"}))  // the last one is applied first
        ->type_name("hdf5|text");
    add.text("--units", o.units,
             "Physical size of the run's units, as 1pc,1e4Msun; the snapshots tell it to programs "
             "that read them",
             "none: N-body units")
        ->type_name("LENGTH,MASS");
    add.text("--table-units", o.table_units,
             "Units of the table, of time, length, or mass and velocity, as Myr,pc,Msun,km/s",
             "the run's")
        ->type_name("LIST");
    add.flag("--quiet", o.quiet, "Nothing on the terminal but errors; not kept by --restart");
}

// Refuses combinations of sources.  (CLI11 can exclude only pairs of options.)
void check_source(const Options &o)
{
    const int sources = (o.plummer != 0) + !o.model.empty() + !o.input.empty() + !o.restart.empty();
    if (sources == 0)
        throw usage_error(
            "nothing to integrate: give --plummer N, --model NAME --bodies N, --input "
            "FILE or --restart FILE");
    if (sources > 1) throw usage_error("give one of --plummer, --model, --input and --restart");
    if (o.model.empty() != (o.count == 0)) throw usage_error("--model and --bodies go together");
    const bool cosmic = !o.cosmic.cosmology.empty();
    if (cosmic && o.input.empty() && o.restart.empty())
        throw usage_error("--cosmology goes with --input or --restart");
    if (o.gravity && (o.input.empty() || cosmic))
        throw usage_error("--gravity goes with --input, and not with --cosmology");
    if (!o.input_units.empty() && (o.input.empty() || cosmic))
        throw usage_error("--input-units goes with --input, and not with --cosmology");
    if (o.gravity && !o.input_units.empty())
        throw usage_error("give one of --gravity and --input-units, from which the constant of "
                          "gravity follows");
    if ((o.t_begin || o.measures.count("--t-begin")) && o.input.empty())
        throw usage_error("--t-begin goes with --input only");
}

// Reads --eps as a number or a length.  In a cosmological run it stays a text.
void read_eps(Options &o, const std::string &place)
{
    std::string text = o.cosmic.eps;
    if (text.empty() || !o.cosmic.cosmology.empty()) return;
    if (size_of(text, Dimension::kLength)) {
        o.measures["--eps"] = text;
        return;
    }
    const std::string wrong = g6tools::fraction()(text);
    if (!wrong.empty())
        throw usage_error(place + "--eps: " + wrong + ", nor a length with one of the units " +
                          unit_names(Dimension::kLength));
    o.eps = std::strtod(text.c_str(), nullptr);
}

}  // namespace

void Options::check_group() const
{
    if (group && !(*group >= 1 && *group <= 1e9 && *group == std::floor(*group)))
        throw usage_error("--group must be a whole number, not " + text_of(*group));
}

std::string Options::said(const std::string &name, double value) const
{
    const auto found = measures.find(name);
    const std::string number = text_of(value);
    return name + " " + (found == measures.end() ? number : found->second + " (" + number + ")");
}

bool parse(int argc, char **argv, Options &options, int &status)
{
    g6tools::CommandLine app("g6run", kAbout, kExamples);
    add_source(app, options);
    add_scheme(app, options);
    add_cosmology(app, options);
    add_library(app, options);
    add_output(app, options);
    app.take_options_from_files("Options as lines of a file, as t-end = 10; those of the command "
                                "line come first");
    if (!app.read(argc, argv, status)) return false;
    if (app.count("--cosmology") && options.cosmic.cosmology.empty())
        options.cosmic.cosmology = "header";
    if (options.inputs.size() > 1)
        throw usage_error("--input takes one file, not " + std::to_string(options.inputs.size()) +
                          ": of a snapshot in several HDF5 files give one, and the others are "
                          "found; join tables, as by cat, and give the new file");
    if (!options.inputs.empty()) options.input = options.inputs[0];
    check_source(options);
    read_eps(options, app.place("eps"));
    return true;
}

}  // namespace g6run
