// SPDX-License-Identifier: MIT
// Point masses on the host and short sums over them, for clients that set masses and ask for sums
// every few microseconds from threads of their own.
//
// Invariants
//  * One object serves one thread at a time.  It has no lock, and once its memory has grown to the
//    longest list it allocates nothing.
//  * Pairs at distance 0 without softening add nothing.  All other pairs count, also the pair of an
//    i-particle with itself: where an i-particle is among the masses, its potential has the term
//    mass / eps.
//  * The same masses and targets give the same bits, whatever was computed earlier, and for any
//    number of threads.
//  * No call throws.  kDeviceOutOfMemory: nothing was changed; kDeviceUnsupported: a value is NaN,
//    infinite, or 2^1000 or more in size.
#pragma once

#include "backend.h"

namespace g6 {

struct PointTargets {
    const double (*x)[3];
    const double *eps2;  // finite, >= 0
    int eps2_stride;     // 1, or 0 for one eps2 that serves all
    int n;
};

class PointSums {
public:
    static constexpr double kTooLarge = 0x1p1000;  // every |value| must be below this

    virtual ~PointSums() = default;
    // Sets slots first ... first+n-1, n >= 1, from x[0] ... and mass[0] ...; null: these values
    // stay.  A slot that was never set is at 0 and has no mass.  After kDeviceUnsupported the slots
    // have no mass.
    virtual DeviceStatus set(int first, int n, const double (*x)[3], const double *mass) = 0;
    // All slots up to the last that was set.
    virtual int slots() const = 0;
    using Rows = const double (*)[3];
    virtual Rows x() const = 0;
    virtual const double *mass() const = 0;
    // Writes acc [targets.n][3] and pot [targets.n], positive: sums over slots 0 ... n-1.
    // 1 <= n <= slots(), targets.n >= 1.
    virtual DeviceStatus sum(int n, const PointTargets &targets, int threads, double (*acc)[3],
                             double *pot) = 0;
    // Quick forms of set(), from slot 0 on, and of sum(), in one thread, for a list that needs the
    // same units and the same softening as the last one.  The results have the same bits.  A quick
    // form returns false where it is not possible; the caller then calls set() or sum(), which
    // overwrites whatever the quick form has written.
    virtual bool set_at_once(int n, const double (*x)[3], const double *mass) = 0;
    virtual bool sum_at_once(int n, const PointTargets &targets, double (*acc)[3], double *pot) = 0;
};

// On the instruction set of this processor, or of the developers' setting "debug"; null without
// memory.  Defined by the cpu backend.
PointSums *make_point_sums(Precision precision, const char *debug) noexcept;

}  // namespace g6
