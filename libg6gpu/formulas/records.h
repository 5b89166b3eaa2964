// SPDX-License-Identifier: MIT
// Plain data that core and backends, and hosts and devices, exchange.
// Invariants: every record is a multiple of 8 bytes with the same layout in C++, CUDA C++ and
// OpenCL C: it has no pointers, and two members of 4 bytes fill one word.  Members that are zero
// for a particle at rest stand last, so that rows can leave them out (rows.h).
// Whoever adds a member raises kBackendAbi in libg6gpu/backend.h.
#ifndef G6_FORMULAS_RECORDS_H
#define G6_FORMULAS_RECORDS_H

// One j-particle as the client sent it.  144 bytes.
typedef struct G6JRecord {
    double x[3];
    double mass;
    int index;  // identity: any value
    int slot;   // place on this device; the host's store of particles keeps flags here
    double t;   // time of the data
    double v[3];
    double a2[3];   // a/2
    double j6[3];   // (da/dt)/6
    double k18[3];  // (d2a/dt2)/18
} G6JRecord;

// One i-particle.  72 bytes.
typedef struct G6IRecord {
    double x[3];
    double eps2;  // softening squared
    int index;    // j-particles with this index are left out
    float aold;   // |acc| as the client last had it, for the criterion "acceleration"; 0: unknown
    double v[3];
    double h2;  // neighbour radius squared; <= 0: no list
} G6IRecord;

// The sums of one i-particle over the j-particles of one device.  72 bytes.
typedef struct G6Sums {
    double acc[3], jerk[3], pot;
    double nn_r2;  // unsoftened distance squared of the nearest neighbour
    int nn_slot;   // its slot on this device, -1: nobody
    int nn_index;  // its index
} G6Sums;

// The sums where neither jerk nor nearest neighbour was asked for.  32 bytes.
typedef struct G6Force {
    double acc[3], pot;
} G6Force;

#endif
