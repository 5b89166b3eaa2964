// SPDX-License-Identifier: MIT
// How far a result may lie from the long-double sum.
//
// mixed, and every library that does not say its precision: arithmetic like that of GRAPE-6.
// Differences of positions have the accuracy of double (GRAPE-6: 64-bit fixed point), the rest of
// a pair has a mantissa of 24 bits, u = 2^-24 (GRAPE-6's pipelines: Makino, Fukushige, Koga &
// Namura 2003, PASJ 55, 1163), and sums have more bits.  The relative errors of a pair are at most
// 5u in r^2, 6.5u in 1/s, 9u in pot, 25u in acc, 50u in jerk; sums in float add some u.  Allowed:
//   pot 16u, acc 32u, jerk 64u  of the sum of |terms|.
// double: u = 2^-53, ten roundings a term and a few a sum: acc, pot 1e-14, jerk 1e-13.
// single (it acts on GPUs in modes treeonly and treewalk alone): as mixed, and positions are float
//   relative to the typical place:
//   2u of |x_i| + |x_j|, times the sensitivity of a term.
// all: the predictor is double, five terms: 8 * 2^-53 of |x_i| + |x_j|.
// mode treewalk: a cell seen under the opening angle theta has a relative error of theta^(p+1),
//   p = 1 (monopole about the centre of mass) or 2 (quadrupole); its jerk, which uses the mean
//   velocity, has an error of theta.
#pragma once

#include "library.h"

#include "../common/reference.h"

#include <cmath>
#include <cstdlib>

namespace g6check {

struct Tolerance {
    long double acc, jerk, pot;  // of the sums of |terms|
    long double x;               // relative error of positions
};

inline Tolerance tolerance(const Library &library)
{
    const long double u53 = 0x1p-53L, u24 = 0x1p-24L;
    Tolerance t{32 * u24, 64 * u24, 16 * u24, 8 * u53};
    if (library.precision() == "double") t = {1e-14L, 1e-13L, 1e-14L, 8 * u53};
    if (library.precision() == "single") t.x = 2 * u24;
    if (library.mode() == "treewalk") {
        const long double theta = std::atof(library.setting("theta").c_str());
        const long double cell = std::pow(theta, library.setting("multipole") == "0" ? 2.0L : 3.0L);
        t.acc += cell, t.pot += cell, t.jerk += theta;
    }
    return t;
}

inline long double allowed_acc(const Tolerance &t, const g6tools::ReferenceSums &s)
{
    return t.acc * s.acc_size + t.x * s.acc_by_x;
}
inline long double allowed_jerk(const Tolerance &t, const g6tools::ReferenceSums &s)
{
    return t.jerk * s.jerk_size + t.x * s.jerk_by_x;
}
inline long double allowed_pot(const Tolerance &t, const g6tools::ReferenceSums &s)
{
    return t.pot * s.pot_size + t.x * s.pot_by_x;
}

}  // namespace g6check
