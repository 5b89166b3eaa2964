// SPDX-License-Identifier: MIT
// Random systems of particles, with their units, shape, motion, masses and indices.
#pragma once

#include "random.h"
#include "truth.h"

namespace g6fuzz {

// From this number of particles on, several threads write those of one call.
constexpr int kManyForThreads = 4096;

// What may be generated.
struct Features {
    bool range = true;   // magnitudes near the limits of float and double
    bool speed = true;   // such velocities, derivatives and times, too
    bool memory = true;  // sizes that must be refused
    std::vector<std::string> isas = {"auto", "generic"};
};

class Scene {
public:
    // like: of the same units; null: any.
    Scene(Random &random, const Features &features, const Scene *like);

    JParticle body(int address);
    // As an integrator or a probe would send it; others: the j-particles there are.
    IParticle target(const std::vector<JParticle> &others, double ti, bool snap);
    double eps2();
    double length() const { return length_; }
    double h2();
    double time();
    int slots() const { return slots_; }
    int targets();
    // A value of this size, seldom one that is not finite or at a limit.
    double value(double size);
    double speed(double size);
    double special();

    enum Shape { kCloud, kLattice, kClumps, kLine, kHeap, kOutlier, kOffset, kShapes };
    enum Motion { kRest, kDrift, kFull };
    Shape shape;
    Motion motion;

private:
    void choose_units(const Features &features);
    int index_of(int address);
    void place(double *x);

    Random &random_;
    int slots_, most_targets_;
    double length_, mass_, velocity_, time_, reach_;
    double extreme_ = 0, fast_ = 0;                // share of values at the limits; of velocities
    double common_[3] = {0, 0, 0}, together_ = 0;  // a common velocity, and the share that has it
    enum Indices { kAddress, kFromOne, kFew, kAny, kMinusOne } indices_;
    enum Masses { kEqual, kSpread, kSomeZero, kBothSigns } masses_;
    double radius_, lattice_;
    bool softened_;
};

}  // namespace g6fuzz
