// SPDX-License-Identifier: MIT
// Reads the command line of g6bench, holds its help text, and checks that options go together.
#include "options.h"

#include "../common/command_line.h"
#include "../common/models.h"

#include <algorithm>
#include <cstdio>

namespace g6bench {
namespace {

constexpr const char *kAbout =
    "Times the calls of a GRAPE-6 library on a Plummer sphere, as a block-step code makes them:\n"
    "a step is n x g6_set_j_particle, g6_set_ti, g6calc_firsthalf, g6calc_lasthalf2.\n"
    "Prints microseconds a step (median, and min-max over the repeats) and 1e9 pairs a second.\n"
    "With several libraries or settings each has its column, and its time over that of column A.\n"
    "Columns that differ in their devices alone have the speed-up over the first of them, and the\n"
    "efficiency, which is the speed-up over the ratio of the numbers of devices.";

constexpr const char *kExamples =
    "Examples:\n"
    "  g6bench                                   a quick look at this library\n"
    "  g6bench --precision mixed,double --check  speed and errors of both precisions\n"
    "  g6bench --lib own --lib /path/libother.so -N 131072 -n 16,256\n"
    "  g6bench --device-counts 1,2,4             speed-up of 2 and of 4 devices\n"
    "  g6bench --kernel -N 262144 --backend cpu,cuda --csv --output rates.csv\n"
    "  g6bench --replay session.g6t --backend cpu --precision double";

void add_work(CLI::App &app, Options &o)
{
    const auto group = "Work";
    const CLI::Validator count = g6tools::whole_number(1, 1 << 30);
    app.add_option("-N,--nj", o.nj, "Numbers of particles; also as 1e5")
        ->delimiter(',')
        ->transform(count)
        ->type_name("N")
        ->capture_default_str()
        ->group(group);
    app.add_option("-n,--ni", o.ni, "Block sizes; those above N are left out")
        ->delimiter(',')
        ->transform(count)
        ->type_name("N")
        ->capture_default_str()
        ->group(group);
    app.add_option("--eps", o.eps, "Softening length; also as 1/256")
        ->transform(g6tools::fraction())
        ->check(g6tools::zero_or_positive())
        ->capture_default_str()
        ->group(group);
    app.add_option("--seed", o.seed, "Seed of the sphere")->capture_default_str()->group(group);
    app.add_flag_callback(
           "--no-snap", [&o] { o.snap = false; },
           "Send a2by18 = 0: several libraries leave that term out of the prediction")
        ->group(group);
    app.add_flag("--unordered", o.unordered,
                 "Shuffle the indices of the particles, which are address + 1 otherwise")
        ->group(group);
    app.add_flag("--steps", o.steps, "Time block steps (the default)")->group(group);
    app.add_flag("--load", o.load, "Time g6_set_j_particle alone, N calls")->group(group);
    app.add_flag("--kernel", o.kernel, "Time the force alone with all N as i-particles")
        ->group(group);
    app.add_flag_callback(
           "--no-nn", [&o] { o.nearest = false; },
           "No nearest neighbours: lasthalf instead of lasthalf2")
        ->group(group);
    app.add_flag("--bulk", o.bulk,
                 "Send all particles of a step by one g6_set_j_particles, which libg6gpu has")
        ->group(group);
    app.add_option(
           "--softenings", o.softenings,
           "Give the j-particles this many different softenings by turns, eps^2, 2 eps^2 ...,\n"
           "by g6_set_j_softening, which libg6gpu has; 0: no call")
        ->check(CLI::Range(0, 16).description(""))
        ->capture_default_str()
        ->group(group);
    app.add_flag("--lists", o.lists, "Read the neighbour lists in each step")->group(group);
    app.add_option("--h2", o.h2, "Neighbour radius squared [about 20 neighbours with --lists]")
        ->check(g6tools::zero_or_positive())
        ->group(group);
    app.add_option("--ni-max", o.ni_max, "Most i-particles in one call; 0: no limit [g6_npipes()]")
        ->check(g6tools::zero_or_positive())
        ->group(group);
}

void add_tree(CLI::App &app, Options &o)
{
    const auto group = "Trees (with --tree; one row for each combination)";
    app.add_flag("--tree", o.tree, "Time shared steps in mode treewalk, with errors of --samples")
        ->group(group);
    app.add_option("--model", o.models, "Models of g6run")
        ->delimiter(',')
        ->type_name(g6tools::choices(g6tools::model_names()) + "")
        ->capture_default_str()
        ->group(group);
    app.add_option("--theta", o.thetas, "Opening angles")
        ->delimiter(',')
        ->check(CLI::Range(0.0, 10.0).description(""))
        ->type_name("ANGLE")
        ->capture_default_str()
        ->group(group);
    app.add_option("--mac", o.macs, "When a cell acts as a whole, see G6_MAC in man g6lib")
        ->delimiter(',')
        ->type_name("bh|bmax|multipole|acceleration|combined")
        ->capture_default_str()
        ->group(group);
    app.add_option("--multipole", o.multipoles, "0: monopole, 2: quadrupole too")
        ->delimiter(',')
        ->type_name("0|2")
        ->capture_default_str()
        ->group(group);
    app.add_flag("--moving", o.moving, "Send velocities: the jerk is computed too")->group(group);
}

void add_replay(CLI::App &app, Options &o)
{
    app.add_option("--replay", o.replay,
                   "Play a session that G6_TRACE has recorded instead, and tell how times and\n"
                   "results differ from the recorded ones.  It has the settings of the recording,\n"
                   "but for variables G6_* that are set and for one each of --lib, --backend,\n"
                   "--precision, --mode, --devices, --threads, --npipes")
        ->type_name("FILE")
        ->group("Recorded sessions");
}

// A replay has one column.  False, with a message, when the command line asks for more.
bool one_column(const Options &o)
{
    for (const auto *list : {&o.libraries, &o.precisions, &o.modes, &o.backends, &o.devices})
        if (list->size() > 1) {
            std::fprintf(stderr, "g6bench: --replay plays a session once: give one value for each "
                                 "of --lib, --backend, --precision, --mode, --devices\n");
            return false;
        }
    return true;
}

// "0,1,2" for a count of 3.
std::string first_devices(int count)
{
    std::string list = "0";
    for (int d = 1; d < count; d++) list += "," + std::to_string(d);
    return list;
}

void add_columns(CLI::App &app, Options &o)
{
    const auto group = "Columns";
    app.add_option("--lib", o.libraries,
                   "A GRAPE-6 library with Fortran names, or \"own\"; may be repeated [own]")
        ->type_name("FILE")
        ->group(group);
    app.add_option("--precision", o.precisions, "One column for each precision")
        ->delimiter(',')
        ->type_name("mixed|double|single")
        ->group(group);
    app.add_option("--mode", o.modes, "One column for each mode of libg6gpu")
        ->delimiter(',')
        ->type_name("hermite|treeonly|treewalk")
        ->group(group);
    app.add_option("--backend", o.backends, "One column for each backend of libg6gpu")
        ->delimiter(',')
        ->type_name("cpu|cuda|opencl|mpi")
        ->group(group);
    app.add_option("--devices", o.devices,
                   "Devices of the backend, as 0,1 (G6_DEVICES); may be repeated for more columns")
        ->type_name("LIST")
        ->group(group);
    app.add_option_function<std::vector<int>>(
           "--device-counts",
           [&o](const std::vector<int> &counts) {
               for (int n : counts) o.devices.push_back(first_devices(n));
           },
           "One column for each number: 1,2 is short for --devices 0 --devices 0,1")
        ->delimiter(',')
        ->transform(g6tools::whole_number(1, 1024))
        ->type_name("N")
        ->group(group);
    app.add_option("--threads", o.threads, "Host threads; 0: as the library decides")
        ->check(CLI::Range(0, 4096).description(""))
        ->capture_default_str()
        ->group(group);
    app.add_option("--npipes", o.npipes, "Number of pipes to ask for (G6_NPIPES)")
        ->check(CLI::Range(1, 16384).description(""))
        ->group(group);
}

void add_measuring(CLI::App &app, Options &o)
{
    const auto group = "Measuring";
    app.add_option("--seconds", o.seconds, "Time for each row and column")
        ->check(g6tools::positive())
        ->capture_default_str()
        ->group(group);
    app.add_option("--repeat", o.repeat, "Exactly this number of steps instead")
        ->check(CLI::Range(1, 1000000).description(""))
        ->group(group);
    app.add_flag("--parts", o.parts,
                 "Tell the median times of set_j, firsthalf and lasthalf below each block step")
        ->group(group);
    app.add_flag("--check", o.check, "Errors against sums in long double")->group(group);
    app.add_option("--samples", o.samples, "Particles checked in each row")
        ->check(CLI::Range(1, 1000000).description(""))
        ->capture_default_str()
        ->group(group);
    app.add_flag("--csv", o.csv, "Comma-separated values instead of a table")->group(group);
    app.add_flag("--strict", o.strict,
                 "End with status 2 when a setting is unknown or not possible, as G6_MODE=foo")
        ->group(group);
    app.add_option("--output", o.output, "File that gets a copy, line by line")
        ->type_name("FILE")
        ->group(group);
}

}  // namespace

void need_settings(const Options &options, const g6tools::LibraryLog &log)
{
    if (options.strict && !log.errors().empty())
        throw SettingRefused("ended by --strict, since a setting is not in force");
}

bool parse(int argc, char **argv, Options &options, int &status)
{
    g6tools::CommandLine app("g6bench", kAbout, kExamples);
    add_work(app, options);
    add_tree(app, options);
    add_columns(app, options);
    add_measuring(app, options);
    add_replay(app, options);
    if (!app.read(argc, argv, status)) return false;
    if (options.libraries.empty()) options.libraries = {"own"};
    if (!options.replay.empty()) return one_column(options) || (status = 2, false);
    if (options.softenings && (options.check || options.tree)) {
        std::fprintf(stderr, "g6bench: --softenings does not go with --check or --tree, whose "
                             "expected sums have one softening\n");
        return status = 2, false;
    }
    const bool others = options.load || options.kernel || options.tree;
    if (!others) options.steps = true;
    const int nj = *std::max_element(options.nj.begin(), options.nj.end());
    const int ni = *std::min_element(options.ni.begin(), options.ni.end());
    if (!others && ni > nj) {
        std::fprintf(stderr,
                     "g6bench: nothing to time: all block sizes (-n, from %d) are above -N %d\n",
                     ni, nj);
        return status = 2, false;
    }
    return true;
}

}  // namespace g6bench
