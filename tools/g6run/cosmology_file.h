// SPDX-License-Identifier: MIT
// Snapshots of a cosmological run, in the HDF5 layout and with the units that Gadget-2, Gadget-4
// and their readers (pynbody, yt) take for granted: comoving kpc/h from 0 to BoxSize, velocities
// v / sqrt(a) in km/s, 1e10 Msun/h; Time is the scale factor.  docs/snapshots.md describes all of
// it.
//
// To go on with the same bits a run needs more: the data sets Position, Momentum and Acceleration,
// and in the group G6cosmology the numbers of CosmicState.
#pragma once

#include "cosmic_energy.h"

#include <string>
#include <vector>

namespace g6run {

// What the user chooses and a snapshot remembers.  Lengths in kpc/h.
struct CosmicSettings {
    Cosmology cosmology;
    double gravity = kGravity;
    double a_begin = 0, a_end = 1;
    double steps = 1024;
    std::string step_in = "a";    // "time", "a", "loga"
    double eps = 0;               // physical softening length from eps_until on
    double eps_until = 1;         // scale factor up to which the softening length is comoving
    double box = 0;               // of the input; a snapshot's BoxSize is this or larger
    double table_every = 1;       // steps
    double snapshot_every = 0;    // steps; 0: only at `outputs`
    std::vector<double> outputs;  // redshifts, falling
    std::string method = "treewalk", precision, mode;
    std::string multipole, mac;  // of the library's tree; "": as its environment says
    double theta = -1;           // negative: as the library chooses, 0.75 with treecode
    double group = 0;            // of treecode; 0: usual_group()
    double max_error = 0;        // of Layzer and Irvine's equation; 0: any

    ComovingForce force() const
    {
        return {gravity, cosmology.omega_m * kHubble0 * kHubble0 / 2, {eps, eps_until}};
    }
};

// Where a run stands, besides its particles.
struct CosmicState {
    CosmicSettings settings;
    double step = 0;       // number of steps done
    double snapshots = 0;  // how many were written; the next one gets this number
    double interactions = 0;
    // The largest errors of Layzer and Irvine's equation and of the total energy.
    double worst = 0, worst_total = 0;
    CosmicEnergyState energy;
};

struct CosmicSnapshot {
    double a = 0;
    Particles particles;
    CosmicState state;
};

bool is_cosmic_snapshot(const std::string &path);
CosmicSnapshot read_cosmic_snapshot(const std::string &path);
void write_cosmic_snapshot(const std::string &path, const CosmicSnapshot &snapshot);

}  // namespace g6run
