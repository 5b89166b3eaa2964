// SPDX-License-Identifier: MIT
// The right results of a block: predictor, sums, nearest neighbour and lists in long double, with
// the errors that the contract allows.
//
//  * Pairs may be off as in tests/tolerance.h, in parts of the sum of the terms' sizes.
//  * The predictor is double.  A pair whose distance is not much more than the rounding of its
//    positions makes the sum unknown.
//  * A product that falls below the smallest number of the arithmetic may vanish; see Units.  Where
//    the host is sure to sum an i-particle, it does so exactly (docs/architecture.md).
//  * A block may be refused where no double holds a result or a prediction.
//  * For walks see find_bounds().
#pragma once

#include "settings.h"
#include "../reference.h"

#include <limits>
#include <memory>
#include <vector>

namespace g6fuzz {

using Real = g6test::Real;

struct JParticle {
    int address, index;
    double t, mass;
    double x[3], v[3], a2[3], j6[3], k18[3];
    double eps2;  // its own softening squared
};

struct IParticle {
    int index;
    double x[3], v[3], h2;
    Real eps2;  // in a Truth with that of the j-particles
};

// A block, or its share of the j-particles with one softening, with its own copy of settings and
// particles.
struct Task {
    int nj = 0;
    double ti = 0;
    Settings settings;
    bool tree_only = false;    // the mode was chosen: no jerk, no neighbours
    bool points_only = false;  // mode auto, all particles by mass and position: no jerk
    bool own_in_lists = false;
    bool softened_lists = false;
    bool float_positions = false;  // precision single where it is offered
    bool single_walks = false;     // precision single in mode treewalk, where that is offered
    bool plain_sums = false;       // term after term: a fake device
    std::vector<IParticle> i;
    std::shared_ptr<const std::vector<JParticle>> j;  // ascending by address
};

// A vector or a number, how far a result may be off, and whether nothing is known of it but that it
// is no NaN (and finite, where `finite`).
struct Force {
    Real acc[3] = {}, jerk[3] = {}, pot = 0;
    Real acc_off = 0, jerk_off = 0, pot_off = 0;
    bool acc_known = true, jerk_known = true, pot_known = true;
    bool jerk_free = false;  // the i-particle's velocity is not finite: anything
};

struct Nearest {
    std::vector<int> indices;  // of those that may be reported; empty: nobody
    Real low = 0, high = 0;    // of the distance, softened
};

// Entries of a list in the order of addresses.
struct Entry {
    int address, index;
    bool certain;  // else so near the edge that rounding decides
};

// Of j-particles that have one softening; block_truth.h adds them up.
class Truth {
public:
    explicit Truth(const Task &task);

    Force force(int i) const;
    std::vector<Entry> list(int i) const;
    int bodies() const { return static_cast<int>(body_.size()); }
    // Whether no double may hold a result or a prediction, so that the block may be refused.
    bool may_be_refused() const;

    // Predicted, with the error that a double has.
    struct Body : g6test::Predicted {
        const JParticle *p;
        Real x_off;  // 0: exact
    };

    struct Separation {
        Real d[3], r2, off;
        bool exact;
    };
    // Those that may be nearest, and a distance that the nearest does not exceed.
    struct Candidates {
        struct One {
            const JParticle *p;
            Separation s;
            Real low, eps2;  // of its unsoftened distance; of the pair
        };
        std::vector<One> all;
        Real most = std::numeric_limits<Real>::infinity();
    };
    void add_candidates(int i, Candidates &to) const;

private:
    // Typical length, mass and velocity: between these two, and the numbers of the device are
    // multiples of it.
    struct Unit {
        Real low = 1, high = 1;
    };
    struct Units {
        Unit length, mass, velocity;
    };

    void find_units();
    void find_frame();
    void find_bounds();
    bool may_overflow(const JParticle &j) const;
    bool is_tame() const;
    bool is_tame(const IParticle &i) const;
    bool is_exact(const IParticle &i) const;
    bool is_too_close(Real softened_distance) const;
    bool has_close_pair(const IParticle &i) const;
    Separation separation(const Body &b, const IParticle &i) const;
    void add_pair(Force &f, struct Sizes &sizes, const Body &b, const IParticle &i, bool exact,
                  bool tame) const;
    void add_vanished(Force &f, const Body &b, Real r, Real s, Real dv) const;

    const Task &task_;
    std::vector<Body> body_;
    Units units_;
    bool float_ = true, walks_ = false, tame_ = true;
    Real grid_ = 1;   // differences of multiples are exact
    Real frame_ = 0;  // a speed from which velocities may be measured; 0: none
    // A walk in float keeps positions to 2^-24 of their distance from the middle of a group of
    // i-particles.
    Real walk_position_ = 0;
    // How far a walk may be off, of the sum of the terms' sizes, and in absolute terms.
    Real walk_acc_ = 0, walk_jerk_ = 0, walk_pot_ = 0;
    Real walk_acc_most_ = 0;              // of the cells that a bound on their errors accepts
    Real other_acc_ = 0, other_pot_ = 0;  // combined: as walk_acc_, of the cells that bh accepts
    bool walk_most_ = false;
};

}  // namespace g6fuzz
