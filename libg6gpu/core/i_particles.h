// SPDX-License-Identifier: MIT
// The i-particles of a block, in the forms in which the devices get them.
//
// Invariants
//  * The particles are copies: nothing that the client writes later changes them.
//  * pack() writes each particle once: to memory of a device, where there is some, so that the
//    device can start at once, and else to the host's records.  keep() fills the host's records
//    from the device's memory, which must come before that memory is freed or written anew.
//  * scale() may change values that are out of a device's range, so that they are within it.  An
//    i-particle whose velocity is no number gets the jerk NaN; the results of all other i-particles
//    stay right.
//  * An i-particle whose distances or velocity are out of a device's range in the units of the
//    block is a stray: records() has it at rest at the origin without neighbour radius, and
//    strays() has what pack() copied.  Whether it is one follows from the block and the store
//    alone.
#pragma once

#include "../base/host_memory.h"
#include "../base/vec3.h"
#include "stray_sums.h"
#include "../particles/jstore.h"
#include "../settings/config.h"

#include <algorithm>
#include <cmath>
#include <functional>
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
    // Memory of a device for the particles, in one of two forms; both null: there is none.
    struct DeviceMemory {
        G6IRecord *records = nullptr;
        G6IPoint *points = nullptr;
        std::function<void(int n)> send;  // called when the first n, but not all, are written
    };
    // Copies the ni i-particles.  Throws Error(G6_ERR_ARGUMENT) when a position or a softening is
    // no number that a force can be computed from.
    void pack(const BlockArgs &args, const Config &settings, const DeviceMemory &memory);
    // The form in which the device's memory has the particles of the block.  StagedI::kNone: there
    // is no such memory, it has points and fit_points() is false, or scale() has changed a record.
    StagedI staged() const { return staged_; }
    // Fills the host's records, once the device has been started.
    void keep();
    // Whether a G6IPoint has all of each particle of the last pack(): none of them has a velocity
    // or a neighbour radius.
    bool fit_points() const { return !moves_ && !has_radius_; }
    // Whether the particles are those that pack(args) would copy, or have the same results, because
    // scale() has replaced the values that differ.  args.ni must be size().
    bool same(const BlockArgs &args) const;

    int size() const { return static_cast<int>(records_.size()); }
    // After keep(), or when staged() is StagedI::kNone.
    const HostBuffer<G6IRecord> &records() const { return records_; }
    bool moves() const { return moves_; }            // one of them has a velocity
    bool has_radius() const { return has_radius_; }  // one of them has a neighbour radius
    double least_eps2() const { return extremes_.least_of_all_eps2; }
    double farthest() const { return extremes_.farthest; }
    // After scale(): softened distances below this one count as 0, unless all j-particles lie at
    // the origin and tell no length.
    double closest() const { return closest_; }
    // After scale(): those whose results the devices do not have, in ascending order.
    const std::vector<Stray> &strays() const { return strays_; }

    // The units in which the devices compute: those of the store for the particles that act, which
    // are `masses`, made to fit the i-particles.  narrow: devices compute in float.  jerk: the unit
    // of velocity matters.
    Scale scale(JStore &store, const StrayMasses &masses, bool narrow, bool jerk);

private:
    // Extremes of the values in records_, for choosing units.
    struct Extremes {
        double eps2 = 0;                      // largest softening squared
        double least_eps2 = 0;                // smallest positive softening squared
        double least_h2 = 0;                  // smallest positive neighbour radius squared
        double speed = 0;                     // largest finite |velocity component|
        double farthest = 0;                  // largest |coordinate|
        double nearest = HUGE_VAL;            // smallest positive largest |coordinate| of one
        double least_of_all_eps2 = HUGE_VAL;  // smallest softening squared, 0 included
        double greatest_h2 = 0;               // largest finite neighbour radius squared
        // One particle.
        void add(const double x[3], const double v[3], double e2, double h2)
        {
            const double size = largest(x);
            add(Extremes{e2, e2, h2, largest(v), size, positive(size), e2, finite(h2) ? h2 : 0});
        }
        void add(const G6IRecord &r) { add(r.x, r.v, r.eps2, r.h2); }
        void add(const Extremes &other)
        {
            eps2 = std::max(eps2, other.eps2);
            least_eps2 = least_positive(least_eps2, other.least_eps2);
            least_h2 = least_positive(least_h2, other.least_h2);
            if (other.speed > speed && finite(other.speed)) speed = other.speed;
            farthest = std::max(farthest, other.farthest);
            nearest = std::min(nearest, other.nearest);
            least_of_all_eps2 = std::min(least_of_all_eps2, other.least_of_all_eps2);
            greatest_h2 = std::max(greatest_h2, other.greatest_h2);
        }
        // HUGE_VAL where there is no length.
        static double positive(double length) { return length > 0 ? length : HUGE_VAL; }
        // The smaller of the two; 0 means that there is no such value.
        static double least_positive(double a, double b)
        {
            return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
        }
    };

    static G6IRecord from(const G6IPoint &p)
    {
        return {{p.x[0], p.x[1], p.x[2]}, {}, p.eps2, 0, p.index, p.aold};
    }
    // The host's records, filled.
    const HostBuffer<G6IRecord> &kept_records()
    {
        keep();
        return records_;
    }
    // The same for changes, after which the device's memory has other particles than the block.
    HostBuffer<G6IRecord> &changeable_records()
    {
        keep();
        staged_ = StagedI::kNone;
        return records_;
    }
    double list_radius2(const BlockArgs &args, int i) const;
    // The radius squared that scale() has put in place of h2.
    double raised_radius2(double h2, const double x[3]) const;
    // Whether scale() has made `kept` of a given value that a device has no range for.
    bool stands_for_eps2(double kept, double given) const;
    void refuse_bad();
    void fit_length(Scale &scale, const StrayMasses &masses, bool narrow);
    struct Range;
    void fit_far(Scale &scale, const Range &range);
    void drop_vanishing_eps2(const Range &range);
    void raise_radii(const Range &range);
    template <class F> void set_aside(const F &is_stray);
    void fit_velocity(Scale &scale, const JStore &store, bool narrow);
    void set_fast_aside(const double common[3], double first_beyond);
    std::vector<double> speeds();

    HostBuffer<G6IRecord> records_;
    bool is_kept_ = true;  // records_ are filled
    DeviceMemory memory_;  // of the last pack()
    StagedI staged_ = StagedI::kNone;
    int threads_ = 0;  // the setting
    Extremes extremes_;
    std::vector<Stray> strays_;
    // Positive neighbour radii squared below the first are raised to it where all coordinates are
    // as large as the second.
    double raised_below_ = 0, apart_from_ = 0;
    double closest_ = 0;
    double vanishing_eps2_ = 0;    // smaller softenings squared are 0 in records_
    bool softened_lists_ = false;  // Config::softened_lists()
    bool moves_ = false, has_radius_ = false;
};

}  // namespace g6
