// SPDX-License-Identifier: MIT
// The j-particles of one g6_set_j_particles(), in the client's arrays.
#pragma once

#include "../backend.h"
#include "../base/vec3.h"
#include "../particles/store_units.h"

namespace g6 {

// Arrays of one element for each particle, or null.
struct JArrays {
    const int *address, *index;        // null: first ... first+n-1; the addresses
    const double *t, *mass;            // t null: 0
    const double (*k18)[3], (*j6)[3];  // null: 0, as are a2 and v
    const double (*a2)[3], (*v)[3], (*x)[3];
    int first = 0;

    int address_of(int k) const { return address ? address[k] : first + k; }
    int index_of(int k) const { return index ? index[k] : address_of(k); }
    double t_of(int k) const { return t ? t[k] : 0; }
    bool at_rest() const { return !t && !k18 && !j6 && !a2 && !v; }

    // Fill in all but the slot.
    void copy(int k, G6JPoint &p) const
    {
        copy3(p.x, x[k]);
        p.mass = mass[k];
        p.index = index_of(k);
    }
    void copy(int k, G6JRecord &r) const
    {
        copy3(r.x, x[k]);
        copy_or_zero(r.v, v, k);
        copy_or_zero(r.a2, a2, k);
        copy_or_zero(r.j6, j6, k);
        copy_or_zero(r.k18, k18, k);
        r.mass = mass[k];
        r.t = t_of(k);
        r.index = index_of(k);
    }

private:
    static void copy_or_zero(double *to, const double (*from)[3], int k)
    {
        if (from)
            copy3(to, from[k]);
        else
            to[0] = to[1] = to[2] = 0;
    }
};

// What several particles are together.
struct JSurvey {
    bool good = true;  // all values are finite, and no address is negative
    Motion motion = Motion::kAtRest;
    Sizes sizes;  // where good

    void add(const JSurvey &other);
};

// The survey of the particles first ... last-1, array by array, which takes a third of the time of
// particle by particle.
JSurvey survey(const JArrays &j, int first, int last);

}  // namespace g6
