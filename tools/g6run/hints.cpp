// SPDX-License-Identifier: MIT
#include "hints.h"

#include "error.h"

#include "../common/text.h"

#include <cmath>

namespace g6run {
namespace {

constexpr std::size_t kManyBodies = 100;
constexpr double kManyLines = 10000;
// Limits of T/|W|: a cluster in equilibrium has 0.5, a cold one less, and a fly-by some 100.
constexpr double kSlow = 1e-5, kFast = 1e4;
// Limits of the run's length, in times of a fall through the system.
constexpr double kFewFalls = 1e-4, kManyFalls = 1e5;

}  // namespace

std::vector<std::string> hints(const Figures &figures, const std::vector<Body> &bodies,
                               const Settings &settings, double begin)
{
    using g6tools::text;
    std::vector<std::string> texts;
    double mass = 0;
    for (const Body &b : bodies) mass += b.mass;
    const double ratio = figures.virial_ratio(), span = settings.t_end - begin;
    if (ratio > kFast || (ratio > 0 && ratio < kSlow))
        texts.push_back(text("T/|W| is %.2g: with G = 1 velocities are in units of "
                             "sqrt(mass/length); are those of the input?",
                             ratio));
    const double radius = figures.radii[1];
    const double fall = radius * std::sqrt(radius / mass);
    if (fall > 0 && (span < kFewFalls * fall || span > kManyFalls * fall))
        texts.push_back(text("a fall through the system takes some %.2g units of time, and the run "
                             "%.4g: are --t-end, --table and --dt-max in units of the input?",
                             fall, span));
    const double lines = span / settings.table_every;
    if (lines > kManyLines)
        texts.push_back(text("the table gets %.0f lines: --table is the time between them", lines));
    if (settings.leaps() && settings.eps == 0 && bodies.size() >= kManyBodies)
        texts.push_back(text("without --eps equal steps miss close encounters; half the mean "
                             "distance of the bodies in the middle is %s",
                             text_of(usual_softening(bodies)).c_str()));
    return texts;
}

}  // namespace g6run
