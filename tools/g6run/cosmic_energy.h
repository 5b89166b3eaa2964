// SPDX-License-Identifier: MIT
// Two energy equations of a sphere in an expanding universe; both are exact for it.
//
// With T = sum m p^2 / (2 a^2), the kinetic energy of the peculiar motion, U the comoving
// gravitational energy of the sphere, and Om, H0 of the background:
//
//   W = (U - (Om H0^2 / 4) sum m x^2 + C) / a
//
// T + W is the Hamiltonian of comoving.h, whose constant C is free.  C removes the energy of the
// smooth sphere: it is chosen so that W = -3 T / 2 at the start of a run, as in the growing mode of
// a universe with matter only.  As the total time derivative of a Hamiltonian is its partial one,
// the equation of Layzer and Irvine follows:
//
//   d(T + W)/dt = -(a'/a) (2 T + W) + S d(ln eps)/dt,   eps: comoving softening length
//
// S = eps dU/d(eps) / a is the change of the energy with the softening.  As the potential of a
// softened pair is homogeneous of degree -1 in distance and eps, Euler's theorem gives
//
//   S = (sum m x g(x) - U) / a
//
// In physical coordinates the whole energy, with the potential of the cosmological constant,
// changes by the softening only:
//
//   E = sum m (H a x + p/a)^2 / 2 + U / a - (OL H0^2 / 2) a^2 sum m x^2
//   dE/dt = S d(ln(a eps))/dt
#pragma once

#include "comoving.h"

namespace g6run {

// What a run carries from step to step, and a snapshot remembers.
struct CosmicEnergyState {
    double constant = 0;        // C
    double peculiar_start = 0;  // T + W
    double total_start = 0;     // E
    double a = 0;               // at the last step
    double rate = 0;            // (2 T + W) / a there
    double softening = 0;       // S there
    double cooling = 0;         // integral of (2 T + W) da / a
    double work = 0;            // integral of S d(ln eps)
    double total_work = 0;      // integral of S d(ln(a eps))
};

struct CosmicEnergies {
    double kinetic = 0, potential = 0;  // T, W
    double layzer_irvine_error = 0;     // over the larger of T and |W|
    double total_error = 0;             // over |U| / a
};

class CosmicEnergy {
public:
    CosmicEnergy(const Cosmology &cosmology, const ComovingForce &force)
        : cosmology_(cosmology), force_(force)
    {
    }

    // start() takes the sums at the first moment of a run, add() those of each step, in order.
    CosmicEnergies start(double a, const CosmicSums &sums);
    CosmicEnergies add(double a, const CosmicSums &sums);

    const CosmicEnergyState &state() const { return state_; }
    void resume(const CosmicEnergyState &state) { state_ = state; }

private:
    struct Terms;
    Terms terms(double a, const CosmicSums &sums) const;
    CosmicEnergies energies(const Terms &terms) const;
    void remember(double a, const Terms &terms);

    Cosmology cosmology_;
    ComovingForce force_;
    CosmicEnergyState state_;
};

// Calls visit("Name", member) for all numbers of the state.
template <class State, class Visit> void visit_energy_numbers(State &state, Visit &&visit)
{
    visit("PotentialConstant", state.constant);
    visit("PeculiarEnergyStart", state.peculiar_start);
    visit("TotalEnergyStart", state.total_start);
    visit("EnergyScaleFactor", state.a);
    visit("EnergyRate", state.rate);
    visit("SofteningEnergy", state.softening);
    visit("CoolingIntegral", state.cooling);
    visit("SofteningWork", state.work);
    visit("TotalSofteningWork", state.total_work);
}

}  // namespace g6run
