// SPDX-License-Identifier: MIT
// Compares numbers of the run with limits beyond which a mistake is likely, and words the hints.
#include "hints.h"

#include "error.h"
#include "units.h"

#include "../common/text.h"

#include <algorithm>
#include <cmath>

namespace g6run {
namespace {

constexpr std::size_t kManyBodies = 100;
constexpr double kManyLines = 10000;
constexpr std::size_t kFewIds = 8;  // fewer bodies may have masses 1, 2, 3 ... for a reason
// Limits of T/|W|.  A system in equilibrium has 0.5.  Its numbers in other units give, with G = 1,
// 0.002 in pc, Msun and km/s, 1.5e-4 in AU, Msun and AU/day, and 20 in AU, Msun and AU/yr.
constexpr double kSlow = 5e-3, kFast = 15;
// The largest relative difference between the masses of stars and those of --units.
constexpr double kSameMass = 0.01;
// The largest relative difference that a conversion of units or a difference of sums makes.
constexpr double kRounding = 1e-12;
// The largest softening of binaries over their semi-major axis.
constexpr double kHarmless = 0.1;
// Limits of the run's length, in times of a fall through the system.
constexpr double kFewFalls = 1e-4, kManyFalls = 1e5;

// Whether the masses are the numbers of the bodies from 0 or 1 on, in any unit.
bool are_ids(const std::vector<Body> &bodies)
{
    if (bodies.size() < kFewIds) return false;
    const double first = bodies[0].mass, unit = bodies[1].mass - first;
    if (!(unit > 0) || (first != 0 && std::fabs(first / unit - 1) > kRounding)) return false;
    for (std::size_t k = 0; k < bodies.size(); k++) {
        const double id = (bodies[k].mass - first) / unit, number = static_cast<double>(k);
        if (std::fabs(id - number) > kRounding * number) return false;
    }
    return true;
}

// The kinetic energy of all bodies if they moved as their centre of mass does.
double energy_of_centre(const std::vector<Body> &bodies)
{
    long double mass = 0, p2 = 0;
    for (const Body &b : bodies) mass += b.mass;
    for (std::size_t d = 0; d < 3; d++) {
        long double p = 0;
        for (const Body &b : bodies) p += static_cast<long double>(b.mass) * b.v[d];
        p2 += p * p;
    }
    return static_cast<double>(p2 / (2 * mass));
}

// Where the motion of the centre of mass has most of the kinetic energy, and so much that T/|W| and
// dE/E differ from those without it.
std::string common_motion(const Figures &figures, const Figures &inside)
{
    const double depth = std::fabs(figures.potential), common = figures.kinetic - inside.kinetic;
    if (!(common > figures.kinetic / 2 && common > depth / 4 && depth > 0)) return "";
    // What energy_error() divides by.
    const auto scale = [=](const Figures &f) {
        return std::max(std::fabs(f.energy()), depth / 100);
    };
    return g6tools::text(
        "the particles move together: %.3g %% of the kinetic energy is that of "
        "their centre of mass.  Without it T/|W| is %.4g, and dE/E %.3g times that "
        "of the table",
        100 * common / figures.kinetic, inside.virial_ratio(), scale(figures) / scale(inside));
}

}  // namespace

std::vector<std::string> hints(const Figures &figures, const std::vector<Body> &bodies,
                               const Settings &settings, double begin)
{
    using g6tools::text;
    std::vector<std::string> texts;
    Figures inside = figures;
    inside.kinetic -= energy_of_centre(bodies);
    if (inside.kinetic < kRounding * figures.kinetic) inside.kinetic = 0;
    if (const std::string common = common_motion(figures, inside); !common.empty())
        texts.push_back(common);
    if (figures.potential == 0 && bodies.size() > 1)
        texts.push_back("one particle has all the mass: energies, dE/E and radii, which the others "
                        "have no part in, do not tell how exact their orbits are");
    const double ratio = inside.virial_ratio(), span = settings.t_end - begin;
    if (ratio > kFast || (ratio > 0 && ratio < kSlow))
        texts.push_back(text("T/|W| is %.2g: with G = 1 velocities are in units of "
                             "sqrt(mass/length); are those of the input?",
                             ratio));
    const double fall = time_of_fall(bodies, figures.radii[1]);
    if (fall > 0 && (span < kFewFalls * fall || span > kManyFalls * fall))
        texts.push_back(text("a fall through the system takes some %.2g units of time, and the run "
                             "%.4g: are --t-end, --table and --dt-max in units of the input?",
                             fall, span));
    const double lines = span / settings.table_every;
    if (lines > kManyLines)
        texts.push_back(text("the table gets %.0f lines: --table is the time between them", lines));
    if (settings.leaps() && settings.eps == 0 && settings.eps_types.empty() &&
        bodies.size() >= kManyBodies)
        texts.push_back(text("without --eps equal steps miss close encounters; half the mean "
                             "distance of the bodies in the middle is %s",
                             text_of(usual_softening(bodies)).c_str()));
    return texts;
}

std::vector<std::string> model_hints(const Snapshot &start, const Settings &settings)
{
    using g6tools::text;
    std::vector<std::string> texts;
    double mass = 0;
    for (const Body &b : start.bodies) mass += b.mass;
    if (start.solar_masses > 0 && !settings.units.empty()) {
        const double made = mass * units_of(settings.units).mass / kGramsPerMsun;
        if (std::fabs(made / start.solar_masses - 1) > kSameMass)
            texts.push_back(text("the model's stars have %.6g Msun, but --units %s makes %.6g Msun "
                                 "of them: --units %s,%.6gMsun keeps their masses",
                                 start.solar_masses, settings.units.c_str(), made,
                                 settings.units.substr(0, settings.units.find(',')).c_str(),
                                 start.solar_masses / mass));
    }
    if (are_ids(start.bodies) && !start.state)
        texts.push_back("the masses count the bodies, as 1, 2, 3: are they ids, and are the masses "
                        "missing?");
    if (start.parts > 1)
        texts.push_back(text("the table has %zu parts of %zu bodies with comments or empty lines "
                             "between them, and all of these are one system here: are they several "
                             "snapshots?",
                             start.parts, start.bodies.size() / start.parts));
    if (start.types[0] > 0 && !start.state)
        texts.push_back(text("%zu particles are gas (type 0): g6run computes their gravity alone",
                             start.types[0]));
    if (start.closest_binary > 0 && settings.eps > kHarmless * start.closest_binary)
        texts.push_back(
            text("eps %s changes the orbits of binaries, whose smallest semi-major axis "
                 "is %.3g: they need block steps with --eps 0",
                 text_of(settings.eps).c_str(), start.closest_binary));
    return texts;
}

}  // namespace g6run
