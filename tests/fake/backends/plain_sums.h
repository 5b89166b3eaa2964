// SPDX-License-Identifier: MIT
// The sums of a fake device: prediction and pairs in double, term after term, in the caller's
// units.
#pragma once

#include "libg6gpu/backend.h"

#include <cmath>

namespace g6test {

struct Slot {
    bool written = false;
    G6JRecord j{};
    double x[3], v[3];  // predicted
};

inline void predict(Slot &slot, double t)
{
    const double s = t - slot.j.t;
    for (int k = 0; k < 3; ++k) {
        const double v = slot.j.v[k], a2 = slot.j.a2[k], j6 = slot.j.j6[k], d4 = slot.j.k18[k];
        slot.x[k] = slot.j.x[k] + s * (v + s * (a2 + s * (j6 + s * 0.75 * d4)));
        slot.v[k] = v + s * (2 * a2 + s * (3 * j6 + s * 3 * d4));
    }
}

// Adds the pull of slot `number` on i.  want: Want bits.
inline void add(const Slot &slot, int number, const G6IRecord &i, unsigned want, G6Sums &sums)
{
    if (!slot.written || slot.j.index == i.index) return;
    double r[3], v[3];
    for (int k = 0; k < 3; ++k) r[k] = slot.x[k] - i.x[k], v[k] = slot.v[k] - i.v[k];
    const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], s2 = r2 + i.eps2;
    if (want & g6::kWantNearest && (sums.nn_slot < 0 || r2 < sums.nn_r2))
        sums.nn_slot = number, sums.nn_index = slot.j.index, sums.nn_r2 = r2;
    // A particle that is infinitely far away pulls nobody.  Where only the square is infinite, NaN
    // asks the core for the sums (backend.h).
    if (s2 == 0 || std::isinf(r[0] + r[1] + r[2])) return;
    if (std::isinf(s2)) return void(sums.acc[0] = NAN);
    const double m3 = slot.j.mass / (s2 * std::sqrt(s2));
    const double alpha = 3 * (r[0] * v[0] + r[1] * v[1] + r[2] * v[2]) / s2;
    for (int k = 0; k < 3; ++k) {
        sums.acc[k] += m3 * r[k];
        if (want & g6::kWantJerk) sums.jerk[k] += m3 * (v[k] - alpha * r[k]);
    }
    sums.pot -= slot.j.mass / std::sqrt(s2);
}

inline bool is_neighbour(const Slot &slot, const G6IRecord &i, bool own_in_lists)
{
    if (!slot.written || (slot.j.index == i.index && !own_in_lists)) return false;
    double r2 = 0;
    for (int k = 0; k < 3; ++k) r2 += (slot.x[k] - i.x[k]) * (slot.x[k] - i.x[k]);
    return r2 < i.h2;
}

}  // namespace g6test
