// SPDX-License-Identifier: MIT
// The units of length, mass and velocity in which devices compute a block, so that every product of
// a pair stays within the range of float.
//
// Invariants
//  * A unit is a power of two near the median of a sample of the j-particles; 1 where the median is
//    near 1, as in N-body units.  The unit of mass may be the mass of the first particle instead.
//  * A value that would be 2^35 units (coordinates) or 2^61 units (masses, speeds) or more makes
//    the unit larger, until it is below that limit.  A softening of 2^21 units or more does the
//    same.  So a massive black hole fits beside test particles that have next to no mass.
//  * The medians are then at least 2^-40 units (length) and 2^-60 units (mass, velocity).  Units
//    lie between 1e-60 and 1e60; where the first particle's mass is the unit, it is within a factor
//    of 2^25 of this range.  Where no unit keeps all these limits, fit() is false and the host sums
//    the block (core/i_particles.h).
//  * Particles that move together have a common velocity: the median of each component, on which a
//    few fast particles have no influence.  It is rounded to a multiple of the power of two below
//    the median difference of the velocities from it, so that it seldom changes.  The unit of
//    velocity then follows from these differences.  There is no common velocity if more than a
//    sixteenth of the particles differ from it, in some component, by a quarter of its largest
//    component or more.  So velocities of random directions have none.
#pragma once

#include "../backend.h"
#include "../base/vec3.h"

#include <climits>

namespace g6 {

class JStore;

// The largest |mass|, speed and coordinate of some particles.
struct Sizes {
    double mass = 0, speed = 0, length = 0;

    // |mass|, and the largest components of velocity and position of one particle.
    void add(double m, double v, double x)
    {
        if (m > mass) mass = m;
        if (v > speed) speed = v;
        if (x > length) length = x;
    }
    void add(const Sizes &other) { add(other.mass, other.speed, other.length); }
};

// The largest component of v - from.
inline double largest_difference(const double v[3], const double from[3])
{
    const double d[3] = {v[0] - from[0], v[1] - from[1], v[2] - from[2]};
    return largest(d);
}

// The largest values of a block's i-particles.
struct BlockSizes {
    double length = 0, speed = 0;  // these count where the j-particles have none
    double softening = 0;
};

class StoreUnits {
public:
    // Takes note of n particles that were just written.  sizes: their largest values.
    void note(const Sizes &sizes, int n = 1)
    {
        noted_.add(sizes);
        if (sizes.mass > 0) masses_written_ += n;
    }

    // As JStore::scale().
    Scale choose(const JStore &store, int nj, bool narrow, const BlockSizes &block);
    // Whether devices can compute in the scale that choose() has returned last.
    bool fit() const { return fit_; }

private:
    // Medians are binary exponents; INT_MIN if all values are 0, or nearly all speeds are.
    struct Sample {
        int nj = -1;                      // of slots 0 ... nj-1
        unsigned long long revision = 0;  // of the store
        int with_mass = 0;                // estimate of the particles with mass in these slots
        int length = INT_MIN, mass = INT_MIN, speed = INT_MIN;
        double common[3] = {0, 0, 0};  // velocity; 0: none
        int apart = INT_MIN;           // the median of the differences from it
    };
    bool is_outdated(const JStore &store, int nj) const;
    void draw_sample(const JStore &store, int nj);
    void measure(const JStore &store);
    Scale scale(bool narrow, const BlockSizes &block);

    Sample sample_;
    // Upper bound of the particles with mass that were written since the sample.
    long long masses_written_ = 0;
    // Upper bounds for all slots.  Particles that were overwritten after revision measured_ may
    // have set them.
    Sizes noted_;
    unsigned long long measured_ = 0;
    bool fit_ = true, bounded_ = false;  // of the last scale(); bounded: noted_ has set a unit
};

}  // namespace g6
