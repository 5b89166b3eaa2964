// SPDX-License-Identifier: MIT
// What a sample of the j-particles tells of their typical sizes.
#pragma once

#include "unit_factors.h"
#include "../backend.h"

#include <climits>

namespace g6 {

class JStore;

// Upper bounds for all particles, by which a search for a lone mass or velocity is saved.
struct LargestSizes {
    double mass = 0, speed = 0;
};

// Factors and flags are those of the values that were sent.
struct StoreSample {
    int nj = -1;                      // of slots 0 ... nj-1
    unsigned long long revision = 0;  // of the store, when the sample was taken
    Scale scale;                      // factors of the medians; no common velocity
    bool lengthless = false;          // neither a sampled nor a heavy particle is off the origin
    bool massless = false;            // no sampled particle has mass
    bool speedless = false;           // all sampled particles are at rest
    bool few_heavy = false;           // next to no sampled particle is heavy
    bool few_moving = false;          // next to no sampled particle has told the unit of velocity
    double heavy = 0;                 // the mass from which on a particle is heavy
    // The medians |v| and |a/2| as binary exponents, INT_MIN if all are 0, and the earliest time
    // of the sampled particles.
    int speed = INT_MIN, acc = INT_MIN;
    double time = 0;
    // The common velocity, 0 if there is none, and the factor of velocities for the differences
    // from it.
    double common[3] = {0, 0, 0}, apart = 1;
};

StoreSample take_sample(const JStore &store, int nj, const LargestSizes &bounds);

// Factors of the medians of sampled particles that are predicted to a time.
struct PredictedFactors {
    double length, velocity;
};
PredictedFactors predict_sample(const JStore &store, int nj, double t, double heavy);

// The largest values of the particles in slots first ... last-1.
LargestSizes largest_sizes(const JStore &store, int first, int last);

}  // namespace g6
