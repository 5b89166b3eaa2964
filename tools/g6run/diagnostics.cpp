// SPDX-License-Identifier: MIT
#include "diagnostics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace g6run {

Figures figures(const std::vector<Body> &bodies, const std::vector<double> &phi)
{
    long double kinetic = 0, potential = 0;
    for (std::size_t k = 0; k < bodies.size(); k++) {
        const Body &b = bodies[k];
        long double v2 = 0;
        for (double v : b.v) v2 += static_cast<long double>(v) * v;
        kinetic += b.mass * v2 / 2;
        potential += static_cast<long double>(b.mass) * phi[k] / 2;
    }
    Figures f;
    f.kinetic = static_cast<double>(kinetic);
    f.potential = static_cast<double>(potential);
    f.radii = lagrangian_radii(bodies);
    return f;
}

std::array<double, 3> lagrangian_radii(const std::vector<Body> &bodies)
{
    long double mass = 0, centre[3] = {0, 0, 0};
    for (const Body &b : bodies) {
        mass += b.mass;
        for (int d = 0; d < 3; d++) centre[d] += static_cast<long double>(b.mass) * b.x[d];
    }
    std::vector<std::pair<double, double>> shells;  // radius squared, mass
    shells.reserve(bodies.size());
    for (const Body &b : bodies) {
        double r2 = 0;
        for (int d = 0; d < 3; d++) {
            const double x = b.x[d] - static_cast<double>(centre[d] / mass);
            r2 += x * x;
        }
        shells.emplace_back(r2, b.mass);
    }
    std::sort(shells.begin(), shells.end());
    std::array<double, 3> radii{};
    std::size_t next = 0;
    long double inside = 0;
    for (const auto &[r2, m] : shells) {
        inside += m;
        // The rounding of a sum must not put an exact fraction off by a body.
        const long double enough = inside * (1 + 1e-12L);
        while (next < radii.size() && enough >= kLagrangianFractions[next] * mass)
            radii[next++] = std::sqrt(r2);
    }
    return radii;
}

std::optional<std::pair<std::size_t, std::size_t>> coincident(const std::vector<Body> &bodies)
{
    std::vector<std::size_t> order(bodies.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t k) {
        const Body &b = bodies[k];
        return std::tie(b.x[0], b.x[1], b.x[2]);
    };
    // Within one place the heaviest body comes first: if it has no mass, none has.
    std::sort(order.begin(), order.end(), [&](std::size_t k, std::size_t l) {
        if (place(k) != place(l)) return place(k) < place(l);
        return bodies[k].mass > bodies[l].mass;
    });
    for (std::size_t n = 1; n < order.size(); n++)
        if (place(order[n - 1]) == place(order[n]) && bodies[order[n - 1]].mass > 0)
            return std::minmax(order[n - 1], order[n]);
    return std::nullopt;
}

double energy_error(double energy, double start)
{
    const double difference = std::fabs(energy - start);
    return start == 0 ? difference : difference / std::fabs(start);
}

}  // namespace g6run
