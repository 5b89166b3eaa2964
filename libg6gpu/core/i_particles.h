// SPDX-License-Identifier: MIT
// The i-particles of a block, as the devices get them.
//
// Invariants
//  * The particles are copies: nothing that the client writes later changes them.
//  * Where a device offers memory, pack() writes there, so that the device can start at once.
//    Otherwise, or where a particle needs more words than the rows of that memory have, pack()
//    fills the host's records.  keep() copies the particles from the device's memory to the host's
//    records.  It is called before the device's memory is freed or written anew.
//  * A stray is an i-particle that devices do not sum, because its position or velocity does not
//    fit the units of the block.  Where no units fit the j-particles and the softening, all
//    i-particles are strays.  The host sums the copies of strays that pack() has made
//    (stray_sums.h).  In place of each stray, records() has a particle at rest at the origin,
//    without neighbour radius.  Whether an i-particle is a stray follows from the block and the
//    store alone.
#pragma once

#include "../base/host_memory.h"
#include "../base/vec3.h"
#include "stray_sums.h"
#include "../particles/jstore.h"
#include "../settings/config.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace g6 {

// Arguments of one firsthalf.  eps2_stride: 1, or 0 for one eps2 that serves all i-particles.
struct BlockArgs {
    int nj, ni;
    const int *index;
    const double (*x)[3];
    const double (*v)[3];
    const double *eps2;
    int eps2_stride;
    const double *h2;                   // null: no lists
    const double (*aold)[3] = nullptr;  // read only by the criterion "acceleration"; null: unknown
};

class IParticles {
public:
    // Memory of a device for rows of the particles; null: there is none.
    struct DeviceMemory {
        Device *device = nullptr;  // gets send_i() as soon as some rows are written
        double *rows = nullptr;
        int words = kIWords;
    };
    // Copies the ni i-particles.  Throws Error(G6_ERR_ARGUMENT) when a position is not finite, or a
    // softening squared is negative or not finite.
    void pack(const BlockArgs &args, const Config &settings, const DeviceMemory &memory);
    // Words of the rows in which the device's memory has the particles of the block.  0: there is
    // no such memory, its rows are too short, or scale() has changed a record.
    int staged_words() const { return staged_words_; }
    // Fills the host's records from the device's memory, unless they are filled.  The core calls it
    // while the devices compute, and records() calls it if needed.
    void keep();
    // Whether a row of kIRestWords has all of each particle of the last pack(): none of them has a
    // velocity or a neighbour radius.
    bool fit_rest() const { return !moves_ && !has_radius_; }
    // Whether the particles are those that pack(args) would copy.  args.ni must be size().
    bool same(const BlockArgs &args);

    int size() const { return static_cast<int>(records_.size()); }
    // The host's records, filled.
    const HostBuffer<G6IRecord> &records()
    {
        keep();
        return records_;
    }
    bool moves() const { return moves_; }            // one of them has a velocity
    bool has_radius() const { return has_radius_; }  // one of them has a neighbour radius
    double least_eps2() const { return extremes_.least_of_all_eps2; }
    double farthest() const { return extremes_.farthest; }
    // After scale(): the i-particles that the devices do not sum, in ascending order.
    const std::vector<Stray> &strays() const { return strays_; }

    // The units in which the devices compute: those of the store for slots 0 ... nj-1.  narrow:
    // devices compute in float.  jerk: velocities matter.
    Scale scale(JStore &store, int nj, bool narrow, bool jerk);

private:
    // Extremes of the values in the block, for the choice of units.
    struct Extremes {
        double eps2 = 0;                      // largest softening squared
        double speed = 0;                     // largest finite |velocity component|
        double farthest = 0;                  // largest |coordinate|
        double least_of_all_eps2 = HUGE_VAL;  // smallest softening squared
        void add(const double x[3], const double v[3], double e2)
        {
            add(Extremes{e2, largest(v), largest(x), e2});
        }
        void add(const Extremes &other)
        {
            eps2 = std::max(eps2, other.eps2);
            if (other.speed > speed && finite(other.speed)) speed = other.speed;
            farthest = std::max(farthest, other.farthest);
            least_of_all_eps2 = std::min(least_of_all_eps2, other.least_of_all_eps2);
        }
    };

    double list_radius2(const BlockArgs &args, int i) const;
    void refuse_bad();
    template <class F> void set_aside(const F &is_stray);

    HostBuffer<G6IRecord> records_;
    bool is_kept_ = true;  // records_ are filled
    DeviceMemory memory_;  // of the last pack()
    int staged_words_ = 0;
    int threads_ = 0;  // the setting
    Extremes extremes_;
    std::vector<Stray> strays_;
    bool softened_lists_ = false;  // Config::softened_lists()
    bool moves_ = false, has_radius_ = false;
};

}  // namespace g6
