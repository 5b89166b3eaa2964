// SPDX-License-Identifier: MIT
// Figures of a whole system whose particles share one time.
#pragma once

#include "body.h"

#include <cmath>
#include <utility>

namespace g6run {

constexpr std::array<double, 3> kLagrangianFractions = {0.1, 0.5, 0.9};

struct Figures {
    double kinetic = 0;
    double potential = 0;           // sum of m phi / 2, negative
    std::array<double, 3> radii{};  // of lagrangian_radii()

    double energy() const { return kinetic + potential; }
    bool finite() const { return std::isfinite(energy() + radii[0] + radii[1] + radii[2]); }
    double virial_ratio() const { return potential == 0 ? 0 : kinetic / -potential; }
};

// phi: potential at each body.  Energies are summed in long double: over a million bodies plain
// sums would lose the 1e-12 that a run with small steps conserves.
Figures figures(const std::vector<Body> &bodies, const std::vector<double> &phi);

// Radius about the density centre that holds each of kLagrangianFractions of the mass.
std::array<double, 3> lagrangian_radii(const std::vector<Body> &bodies);

// A softening for steps of equal length, which cannot follow close encounters: half the mean
// distance between bodies in the radius that holds 10 % of the mass, as if all masses were equal,
// rounded down to a power of two.  The radius is about the density centre, or about the densest
// body where the density centre lies between clusters.  0 where these bodies are in one place.
double usual_softening(const std::vector<Body> &bodies);

// The time of a fall through the system, sqrt(r^3 / M) with the radius r that holds half of the
// mass.  Where one body has more than half, as a star among its planets, r holds half of the
// bodies.
double time_of_fall(const std::vector<Body> &bodies, double half_mass_radius);

// Numbers of two bodies in one place, of which at least one has mass: without softening their force
// is not defined.  The bodies must share one time.
std::optional<std::pair<std::size_t, std::size_t>> coincident(const std::vector<Body> &bodies);

// (energy - start) over |start|, or over a hundredth of the largest potential energy of the run
// where that is larger: kinetic and potential energy may cancel, as on a parabolic orbit.
double energy_error(double energy, double start, double largest_potential);

}  // namespace g6run
