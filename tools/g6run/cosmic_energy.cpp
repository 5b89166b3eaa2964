// SPDX-License-Identifier: MIT
// Integrates the right sides of both energy equations along the run by the trapezoidal rule.  The
// error of an equation is the change of the energy since the start, less this integral.
#include "cosmic_energy.h"

#include <algorithm>
#include <cmath>

namespace g6run {

struct CosmicEnergy::Terms {
    double kinetic, potential, total, softening, whole;  // T, W, E, S, |U| / a
    double rate(double a) const { return (2 * kinetic + potential) / a; }
};

CosmicEnergy::Terms CosmicEnergy::terms(double a, const CosmicSums &s) const
{
    const double own = force_.gravity * s.pot / 2, hubble = cosmology_.hubble(a);
    Terms t{};
    t.kinetic = s.p2 / (2 * a * a);
    t.potential = (own - force_.background / 2 * s.x2 + state_.constant) / a;
    t.softening = (force_.gravity * s.virial - own) / a;
    t.whole = std::fabs(own) / a;
    const double lambda = cosmology_.omega_l * kHubble0 * kHubble0;
    t.total = t.kinetic + hubble * s.xp + (hubble * hubble - lambda) / 2 * a * a * s.x2 + own / a;
    return t;
}

void CosmicEnergy::remember(double a, const Terms &t)
{
    state_.a = a;
    state_.rate = t.rate(a);
    state_.softening = t.softening;
}

CosmicEnergies CosmicEnergy::energies(const Terms &t) const
{
    const CosmicEnergyState &s = state_;
    const double peculiar = t.kinetic + t.potential - s.peculiar_start + s.cooling - s.work;
    const double total = t.total - s.total_start - s.total_work;
    const double scale = std::max(t.kinetic, std::fabs(t.potential));
    return {t.kinetic, t.potential, scale > 0 ? peculiar / scale : 0,
            t.whole > 0 ? total / t.whole : 0};
}

CosmicEnergies CosmicEnergy::start(double a, const CosmicSums &sums)
{
    state_ = CosmicEnergyState();
    Terms t = terms(a, sums);
    state_.constant = -a * (t.potential + 1.5 * t.kinetic);
    t = terms(a, sums);
    state_.peculiar_start = t.kinetic + t.potential;
    state_.total_start = t.total;
    remember(a, t);
    return energies(t);
}

// Applies the trapezoidal rule to the integral over a, not over ln a: while perturbations are small
// T and W grow like a, and the rule is exact.
CosmicEnergies CosmicEnergy::add(double a, const CosmicSums &sums)
{
    const Terms t = terms(a, sums);
    const CosmicSoftening &eps = force_.softening;
    const double growth = std::log(a / state_.a);
    const double change = std::log(eps.comoving(a) / eps.comoving(state_.a));
    const double mean = (state_.softening + t.softening) / 2;
    state_.cooling += (state_.rate + t.rate(a)) / 2 * (a - state_.a);
    state_.work += mean * change;
    state_.total_work += mean * (change + growth);
    remember(a, t);
    return energies(t);
}

}  // namespace g6run
