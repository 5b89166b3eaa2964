// SPDX-License-Identifier: MIT
// The units in which devices compute, chosen from a sample of the j-particles and from the extremes
// of those that were written since the sample was taken.
#pragma once

#include "sizes.h"
#include "store_sample.h"

namespace g6 {

class StoreUnits {
public:
    // Takes note of a particle just written: its |mass|, and the largest components of its velocity
    // and position.
    void note(double mass, double speed, double length) { noted_.add(mass, speed, length); }
    // The same of several particles, of which a copy of no_sizes() has taken note.
    void note(const Sizes &sizes) { noted_.add(sizes); }
    Sizes no_sizes() const
    {
        Sizes none;
        none.heavy = noted_.heavy;
        return none;
    }

    // JStore::scale() says what it returns.
    Scale choose(const JStore &store, int nj, bool narrow, double t);
    // After choose(): neither a sampled nor a heavy particle is off the origin, so that none has
    // told a length.  The caller then takes length_factor() of another length of the block.
    bool lengthless() const { return sample_.lengthless && !drifted_; }
    // After choose(): all sampled particles are at rest.  The caller then takes velocity_factor()
    // of the speeds of the i-particles, if these move.
    bool speedless() const { return sample_.speedless && !outran_; }
    // Lowers scale.velocity until these two are within the range of float, in device units:
    //     v
    //     m v / eps^3
    // v: largest speed, of the store and the argument; m: largest mass; eps: smallest softening, 0
    // where it is not known.
    void bound_velocity(Scale &scale, double speed, double eps) const;

private:
    bool is_outdated(const JStore &store, int nj) const;
    bool is_outgrown() const;
    void sample(const JStore &store, int nj);
    void bound_sample(const JStore &store);
    bool drifts_away(double t) const;
    bool outruns_unit(double t) const;
    bool moves_together(const JStore &store, int nj, double t);
    bool any_slow(const JStore &store, int nj, double enough);

    StoreSample sample_;
    bool bounded_ = false;  // the largest mass or velocity decided a factor of the sample
    // mass, speed: bounds for the slots of the sample.  The other members are those of the
    // particles written since then.
    Sizes noted_;
    LargestSizes largest_;  // bounds for all slots, but for noted_
    // Whether predicted positions and predicted velocities decided the last factors.
    bool drifted_ = false, outran_ = false;
    // Of the particles in slots 0 ... looked_at_-1 that have mass none is slower than slowest_, but
    // for those that noted_ tells of.  slow_one_: the address where one was found last.
    double slowest_ = HUGE_VAL;
    int looked_at_ = INT_MAX, slow_one_ = INT_MAX;
};

}  // namespace g6
