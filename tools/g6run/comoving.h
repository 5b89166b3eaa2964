// SPDX-License-Identifier: MIT
// Leapfrog in comoving coordinates for a sphere of particles with a vacuum outside.
//
// Equations.  Physical coordinates r, about the middle of the sphere:
//
//   r'' = g(r) + OL H0^2 r,            g: softened sum over all particles of the sphere
//   a'' = -Om H0^2 / (2 a^2) + OL H0^2 a
//
// With r = a x and g(r) = g(x) / a^2 the cosmological constant cancels, and the curvature remains
// in a(t) alone.  With the momentum p = a^2 x':
//
//   dx/dt = p / a^2
//   dp/dt = f(x) / a,                  f(x) = g(x) + (Om H0^2 / 2) x
//
// These equations are exact.  For their Hamiltonian p^2/(2 a^2) + Phi(x)/a the integrals of dt/a
// and dt/a^2 give exact kicks and drifts (Quinn, Katz, Stadel & Lake 1997, astro-ph/9710043).
//
// Why comoving: the expansion itself causes no error; a sphere of mean density stays at rest with
// any step.  In physical coordinates a step of 3.9 Myr at z = 49 is a twelfth of the universe's
// age, and the error that the leapfrog makes with the Hubble flow grows like a perturbation.
//
// Invariant between two steps: acc is the force at the end of the last step.  After step(true) x
// and p are at this end, too.  After step(false) the first kick and the drift of the next step are
// already done: one loop over the particles then does the work of two.
//
// The opening criterion "acceleration" bounds the error of a cell by a part of the particle's old
// acceleration.  It gets f(x), the pull without that of the smooth sphere.  While matter is nearly
// uniform g(x) is many times as large, and an error that is small beside g(x) may be large beside
// f(x).  A run begins without old accelerations, so that its first force is computed twice.
#pragma once

#include "expansion_steps.h"
#include "field.h"

#include <cstdint>
#include <memory>

namespace g6run {

struct Particles {
    std::vector<Vector> x, p;  // comoving position, a^2 dx/dt
    std::vector<Vector> acc;   // g(x) / G
    std::vector<double> mass;
    std::vector<std::uint64_t> id;

    std::size_t size() const { return x.size(); }
    void resize(std::size_t n);
};

// Sums over the particles, of m times ...
struct CosmicSums {
    double p2 = 0, x2 = 0, xp = 0;  // p^2, x^2, x p
    double pot = 0;                 // comoving potential over G, each pair twice
    double virial = 0;              // x g(x) / G
};

// Softening length: comoving up to the scale factor a_until, of a fixed physical length from there.
struct CosmicSoftening {
    double physical = 0;  // kpc/h, from a_until on
    double a_until = 1;

    double comoving(double a) const { return physical / (a < a_until ? a_until : a); }
};

// f(x) = gravity * acc + background * x.
struct ComovingForce {
    double gravity = kGravity;  // G
    double background = 0;      // Om H0^2 / 2
    CosmicSoftening softening;
};

class ComovingLeapfrog {
public:
    // The particles must be at the beginning of a step.  Their acc is the old acceleration for the
    // opening criterion; in a run that goes on it is the force at the beginning of the step.
    ComovingLeapfrog(Gravity &gravity, std::unique_ptr<Field> field, Particles particles,
                     const ExpansionSteps &steps, const ComovingForce &force, int step);

    // Computes the force on the particles and the sums, with which a new run begins.
    void first_force();
    // One step.  rest: leaves x and p at its end, so that particles() may be called.
    void step(bool rest);

    int steps_done() const { return step_; }
    double a() const { return steps_.a(step_); }
    bool rests() const { return rests_; }
    const CosmicSums &sums() const { return sums_; }
    const Particles &particles() const { return particles_; }

private:
    void compute();
    void take_off_expansion();
    void move(bool close, bool open);

    Gravity &gravity_;
    std::unique_ptr<Field> field_;
    Particles particles_;
    ExpansionSteps steps_;
    ComovingForce force_;
    int step_;
    bool opens_by_acceleration_;
    bool rests_ = true;
    StepFactors closing_, opening_;
    std::vector<double> pot_;
    CosmicSums sums_;
};

}  // namespace g6run
