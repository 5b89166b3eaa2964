// SPDX-License-Identifier: MIT
// Checks the options of a cosmological run, and fills the settings of a new run or of one that goes
// on from a snapshot.
#include "cosmology_plan.h"

#include "cosmology_input.h"
#include "error.h"
#include "output_folder.h"
#include "text_file.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace g6run {
namespace {

using g6tools::text;

constexpr std::size_t kMostOutputs = 4096;  // an attribute of a file holds twice as many

void refuse(bool given, const char *name, const char *why)
{
    if (given)
        throw usage_error(std::string(name) + " does not go with a cosmological run: " + why);
}

void refuse_others(const Options &o)
{
    refuse(o.t_end || o.t_begin, "--t-begin or --t-end", "it has --z-begin and --z-end");
    for (const auto &[name, value] : o.measures)
        refuse(name != "--eps", name.c_str(), "its table and snapshots count steps");
    refuse(!o.table_units.empty(), "--table-units", "its table has redshifts");
    refuse(o.dt || o.dt_max || o.dt_min, "--dt, --dt-max or --dt-min", "it has --n-steps");
    refuse(o.eta || o.eta_start, "--eta or --eta-start", "the leapfrog has --n-steps");
    refuse(!o.eps_types.empty(), "--eps-type", "all its particles have --eps");
    refuse(!o.steps.empty(), "--steps", "all particles share --n-steps");
    refuse(!o.steps_log.empty(), "--steps-log", "its table has a line for each step");
    refuse(!o.units.empty(), "--units", "its files have kpc/h, km/s and 1e10 Msun/h");
    refuse(o.format == Format::kText, "--format text", "it writes Gadget's HDF5");
    refuse(o.input == kStandardInput, "--input -", "it reads Gadget's HDF5");
    refuse(o.method == "hermite", "--method hermite",
           "the comoving leapfrog is there for --method treewalk and treecode alone");
}

double whole(const char *name, double value, double least)
{
    if (value >= least && value <= 1e7 && value == std::floor(value)) return value;
    throw usage_error(std::string(name) + " counts steps in a cosmological run: not " +
                      text_of(value));
}

// Takes the options that a new run and a restart have in common.
void merge(const Options &o, CosmicSettings &s)
{
    const auto take = [](std::string &value, const std::string &given) {
        if (!given.empty()) value = given;
    };
    take(s.method, o.method);
    take(s.precision, o.precision);
    const std::string needed = s.method == "treewalk" ? "treewalk" : "treeonly";
    if (!o.mode.empty() && o.mode != needed)
        throw usage_error("--method " + s.method + " uses mode " + needed);
    s.mode = needed;
    if (!o.cosmic.multipole.empty() && s.method != "treewalk")
        throw usage_error("--multipole goes with --method treewalk");
    take(s.multipole, o.cosmic.multipole);
    if (o.theta) s.theta = *o.theta;
    if (o.group) s.group = *o.group;
    o.check_group();
    if (o.max_error) s.max_error = *o.max_error;
    if (o.max_error && !(s.max_error > 0))
        throw usage_error("--max-error must be positive, not " + text_of(s.max_error));
    if (o.table_every) s.table_every = whole("--table", *o.table_every, 1);
    if (o.snapshot_every) s.snapshot_every = whole("--snapshot", *o.snapshot_every, 0);
}

std::vector<double> redshifts_of(std::istream &stream, const std::string &source)
{
    std::vector<double> list;
    for (std::string line; std::getline(stream, line);) {
        line = line.substr(0, line.find('#'));
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            char *end = nullptr;
            list.push_back(std::strtod(word.c_str(), &end));
            if (*end || !std::isfinite(list.back()))
                throw usage_error("--z-out: '" + word + "' in " + source + " is no redshift");
        }
    }
    return list;
}

std::vector<double> outputs_of(const std::string &given, const CosmicSettings &s)
{
    std::error_code error;
    std::vector<double> list;
    if (std::filesystem::is_regular_file(given, error)) {
        std::ifstream file(given);
        list = redshifts_of(file, given);
    } else {
        std::istringstream stream(given);
        list = redshifts_of(stream, given);
    }
    if (list.empty()) throw usage_error("--z-out " + given + ": holds no redshift");
    if (list.size() > kMostOutputs)
        throw usage_error(text("--z-out %s: more than %zu redshifts", given.c_str(), kMostOutputs));
    const double begin = redshift(s.a_begin), end = redshift(s.a_end);
    for (std::size_t k = 0; k < list.size(); k++) {
        if (k > 0 && !(list[k] < list[k - 1]))
            throw usage_error("--z-out: redshifts must fall, but " + text_of(list[k]) +
                              " follows " + text_of(list[k - 1]));
        if (list[k] > begin + 1e-6 * (1 + begin) || list[k] < end - 1e-6)
            throw usage_error("--z-out " + text_of(list[k]) + " is not between the run's z = " +
                              text_of(begin) + " and " + text_of(end));
    }
    return list;
}

std::optional<Cosmology> cosmology_of(const std::string &given)
{
    if (given == "header") return std::nullopt;
    Cosmology c;
    char rest = 0;
    if (std::sscanf(given.c_str(), "%lf,%lf,%lf%c", &c.omega_m, &c.omega_l, &c.h, &rest) != 3)
        throw usage_error("--cosmology: '" + given +
                          "' is not Omega_matter,Omega_Lambda,h, as "
                          "0.3,0.7,0.7");
    return c;
}

void choose_times(const CosmicOptions &o, CosmicSettings &s)
{
    s.a_end = scale_factor(o.z_end.value_or(0));
    if (!(s.a_end > s.a_begin) || !std::isfinite(s.a_end))
        throw usage_error(
            "nothing to do: the particles are at z = " + text_of(redshift(s.a_begin)) +
            ", --z-end is " + text_of(o.z_end.value_or(0)));
    // A closed universe may recollapse, and one with a large constant may have had no beginning.
    for (int k = 0; k <= 1000; k++)
        if (!(s.cosmology.expansion2(s.a_begin + k * (s.a_end - s.a_begin) / 1000) > 0))
            throw usage_error("this cosmology does not expand from the start to --z-end");
    if (o.n_steps) s.steps = static_cast<double>(o.n_steps);
    if (!o.step_in.empty()) s.step_in = o.step_in;
    if (!o.z_out.empty()) s.outputs = outputs_of(o.z_out, s);
}

void choose_softening(const CosmicOptions &o, CosmicSettings &s)
{
    if (o.eps.empty())
        throw usage_error("--eps is missing: the softening length of today, as --eps 4kpc");
    s.eps = comoving_length("--eps", o.eps, s.cosmology.h);
    if (!(s.eps > 0)) throw usage_error("--eps must be positive, not " + o.eps);
    const double until = o.eps_comoving_until.value_or(0);
    if (!(until > -1)) throw usage_error("--eps-comoving-until must be above -1");
    // s.eps is the physical length from eps_until on.  If eps_until is before today, this is the
    // length asked for; else the length asked for grows with the scale factor until eps_until.
    s.eps_until = scale_factor(until);
    s.eps *= s.eps_until < 1 ? 1 : s.eps_until;
}

CosmicStart fresh(const Options &o)
{
    const CosmicOptions &c = o.cosmic;
    CosmicInput in =
        read_cosmic_input({o.input, cosmology_of(c.cosmology), c.z_begin, c.sphere, c.centre});
    CosmicStart start;
    CosmicSettings &s = start.snapshot.state.settings;
    s.cosmology = in.cosmology;
    s.gravity = in.gravity;
    s.a_begin = start.snapshot.a = in.a;
    s.box = in.box;
    // While matter is nearly uniform the errors of monopoles add up to a pull towards the middle.
    if (!std::getenv("G6_MULTIPOLE")) s.multipole = "2";
    // A bound relative to the whole acceleration does not keep these errors small enough, either.
    if (!std::getenv("G6_MAC")) s.mac = "bh";
    merge(o, s);
    choose_times(c, s);
    choose_softening(c, s);
    const double h = in.cosmology.h;
    start.notes.push_back(text("from %s: radius %.6g Mpc comoving, mass %.6g Msun", o.input.c_str(),
                               1e-3 * in.radius / h, 1e10 * in.mass / h));
    if (in.mean_density > 0)
        start.notes.push_back(text("box of %.6g Mpc; its mean density is %.6f of the matter's "
                                   "by our constants, and G is divided by that",
                                   1e-3 * in.box / h, in.mean_density));
    start.snapshot.particles = std::move(in.particles);
    return start;
}

CosmicStart restart(const Options &o)
{
    if (!o.cosmic.cosmology.empty() && o.cosmic.cosmology != "header")
        throw usage_error("--restart has the cosmology of its run");
    const CosmicOptions &c = o.cosmic;
    if (c.z_begin || c.z_end || c.eps_comoving_until || c.n_steps || !c.step_in.empty() ||
        !c.sphere.empty() || !c.centre.empty() || !c.eps.empty())
        throw usage_error("--restart goes on with the steps, the softening and the particles of "
                          "its run; to change them give the file to --input");
    CosmicStart start;
    start.goes_on = true;
    start.snapshot = read_cosmic_snapshot(o.restart);
    CosmicState &state = start.snapshot.state;
    merge(o, state.settings);
    if (!c.z_out.empty()) state.settings.outputs = outputs_of(c.z_out, state.settings);
    // A batch job that is queued anew must not fail.
    if (!(state.step < state.settings.steps))
        throw Error("nothing to do: the run of " + o.restart +
                        " is at its end, z = " + text_of(redshift(start.snapshot.a)),
                    kExitOk);
    start.notes.push_back("from the run of " + o.restart);
    return start;
}

}  // namespace

bool is_cosmic(const Options &o)
{
    if (!o.cosmic.cosmology.empty()) return true;
    std::error_code error;
    return !o.restart.empty() && std::filesystem::is_regular_file(o.restart, error) &&
           is_cosmic_snapshot(o.restart);
}

CosmicStart plan_cosmology(const Options &o)
{
    refuse_others(o);
    if (o.restart.empty()) return fresh(o);
    check_readable(o.restart);
    if (!is_cosmic_snapshot(o.restart))
        throw usage_error(o.restart + ": no snapshot of a cosmological run");
    return restart(o);
}

ExpansionSteps expansion_steps(const CosmicSettings &s)
{
    return {s.cosmology, s.a_begin, s.a_end, static_cast<int>(s.steps), s.step_in};
}

}  // namespace g6run
