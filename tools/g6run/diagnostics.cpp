// SPDX-License-Identifier: MIT
// Computes energies, Lagrangian radii and the default softening, and finds bodies in the same
// place.  The order of sums does not depend on the number of threads.
#include "diagnostics.h"

#include "density_centre.h"
#include "schedule.h"

#include "../common/parallel.h"
#include "../common/parallel_sort.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace g6run {
namespace {

using Sums = std::array<long double, 4>;

// The fewest bodies about the densest one whose mean distance is measured: a binary, or a heavy
// star with its neighbours, says nothing about the system.
constexpr std::size_t kCrowd = 32;
// If the mean distance about the densest body is below this part of that about the density centre,
// the centre lies in the void between clusters.  In a single system the ratio is nearer to 1.
constexpr double kVoid = 0.5;

// The sums over 0 ... n-1 of what f(k, sums) adds.  Threads sum parts whose sizes do not depend on
// their number, so that the result does not.
template <class F> Sums sum_over(std::size_t n, const F &f)
{
    constexpr std::size_t kPart = 8192;
    const std::size_t parts = (n + kPart - 1) / kPart;
    std::vector<Sums> part(parts, Sums{});
    g6tools::parallel_for(parts, 1, [&](std::size_t p) {
        for (std::size_t k = p * kPart; k < std::min(n, (p + 1) * kPart); k++) f(k, part[p]);
    });
    Sums sums{};
    for (const Sums &s : part)
        for (std::size_t c = 0; c < s.size(); c++) sums[c] += s[c];
    return sums;
}

}  // namespace

Figures figures(const std::vector<Body> &bodies, const std::vector<double> &phi)
{
    const Sums sums = sum_over(bodies.size(), [&](std::size_t k, Sums &s) {
        const Body &b = bodies[k];
        long double v2 = 0;
        for (double v : b.v) v2 += static_cast<long double>(v) * v;
        s[0] += b.mass * v2 / 2;
        s[1] += static_cast<long double>(b.mass) * phi[k] / 2;
    });
    Figures f;
    f.kinetic = static_cast<double>(sums[0]);
    f.potential = static_cast<double>(sums[1]);
    f.radii = lagrangian_radii(bodies);
    return f;
}

std::array<double, 3> lagrangian_radii(const std::vector<Body> &bodies)
{
    const Place centre = density_centre(bodies);
    long double mass = 0;
    for (const Body &b : bodies) mass += b.mass;
    std::vector<std::pair<double, double>> shells(bodies.size());  // radius squared, mass
    g6tools::parallel_for(bodies.size(), 1024, [&](std::size_t k) {
        const Body &b = bodies[k];
        double r2 = 0;
        for (std::size_t d = 0; d < 3; d++) {
            const double x = b.x[d] - centre[d];
            r2 += x * x;
        }
        shells[k] = {r2, b.mass};
    });
    g6tools::parallel_sort(shells);
    std::array<double, 3> radii{};
    std::size_t next = 0;
    long double inside = 0;
    for (const auto &[r2, m] : shells) {
        inside += m;
        // With equal masses some body's radius holds exactly the fraction.  The slack keeps
        // rounding from moving the radius to the next body.
        const long double enough = inside * (1 + 1e-12L);
        while (next < radii.size() && enough >= kLagrangianFractions[next] * mass)
            radii[next++] = std::sqrt(r2);
    }
    return radii;
}

namespace {

// Mean distance between bodies in a sphere of this radius that holds `within` of them.
double mean_distance(double radius, double within)
{
    constexpr double kPi = 3.14159265358979323846;
    return radius * std::cbrt(4 * kPi / 3 / within);
}

// Mean distance between the `count` bodies that are nearest to a place.
double mean_distance_about(const Place &place, const std::vector<Body> &bodies, std::size_t count)
{
    std::vector<double> r2;
    for (const Body &b : bodies) {
        r2.push_back(0);
        for (std::size_t d = 0; d < 3; d++) r2.back() += (b.x[d] - place[d]) * (b.x[d] - place[d]);
    }
    const auto last = r2.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(r2.begin(), last, r2.end());
    return mean_distance(std::sqrt(*last), static_cast<double>(count));
}

}  // namespace

double usual_softening(const std::vector<Body> &bodies)
{
    const double within = kLagrangianFractions[0] * static_cast<double>(bodies.size());
    double distance = mean_distance(lagrangian_radii(bodies)[0], within);
    const std::size_t crowd = std::max(kCrowd, static_cast<std::size_t>(within));
    if (bodies.size() >= crowd) {
        const double densest = mean_distance_about(densest_place(bodies), bodies, crowd);
        if (densest < kVoid * distance) distance = densest;
    }
    return distance > 0 ? power_of_two_below(distance / 2) : 0;
}

double time_of_fall(const std::vector<Body> &bodies, double half_mass_radius)
{
    double mass = 0, heaviest = 0, radius = half_mass_radius;
    for (const Body &b : bodies) {
        mass += b.mass;
        heaviest = std::max(heaviest, b.mass);
    }
    if (heaviest > mass / 2) {
        const Place centre = mass_centre(bodies);
        std::vector<double> radii;
        for (const Body &b : bodies)
            radii.push_back(std::hypot(b.x[0] - centre[0], b.x[1] - centre[1], b.x[2] - centre[2]));
        const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
        std::nth_element(radii.begin(), middle, radii.end());
        radius = *middle;
    }
    return radius * std::sqrt(radius / mass);
}

std::optional<std::pair<std::size_t, std::size_t>> coincident(const std::vector<Body> &bodies)
{
    std::vector<std::size_t> order(bodies.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t k) {
        const Body &b = bodies[k];
        return std::tie(b.x[0], b.x[1], b.x[2]);
    };
    // Of bodies in one place the heaviest comes first: if it has no mass, none of them has.
    g6tools::parallel_sort(order, [&](std::size_t k, std::size_t l) {
        if (place(k) != place(l)) return place(k) < place(l);
        return bodies[k].mass > bodies[l].mass;
    });
    for (std::size_t n = 1; n < order.size(); n++)
        if (place(order[n - 1]) == place(order[n]) && bodies[order[n - 1]].mass > 0)
            return std::minmax(order[n - 1], order[n]);
    return std::nullopt;
}

double energy_error(double energy, double start, double largest_potential)
{
    const double scale = std::max(std::fabs(start), std::fabs(largest_potential) / 100);
    return energy == start ? 0 : (energy - start) / scale;
}

}  // namespace g6run
