// SPDX-License-Identifier: MIT
// The answer that a GRAPE should give, in long double: prediction, sums, nearest neighbour and
// neighbour lists, each written as its definition.  Slow (some 20 ns a pair and core) and therefore
// for samples.  Parallel over the i-particles; one i-particle is summed in the order of the slots,
// so results do not depend on the number of threads.
//
// Rounding: 2^-64 = 5e-20 of a term.  Over N terms the error grows to sqrt(N) 5e-20 of the sum of
// absolute terms, 5e-17 for a million particles.  This is below half a unit in the last place of
// the double results that are judged by these sums.
#pragma once

#include <vector>

namespace g6tools {

// One j-particle as g6_set_j_particle() gets it: data at its own time t.
struct JParticle {
    double x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    double a2[3] = {0, 0, 0};   // a/2
    double j6[3] = {0, 0, 0};   // (da/dt)/6
    double k18[3] = {0, 0, 0};  // (d2a/dt2)/18
    double mass = 0, t = 0;
    int index = 0;
};

struct IParticle {
    double x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    double h2 = 0;  // neighbour radius squared
    int index = 0;
};

struct Predicted {
    long double x[3], v[3];
};

struct ReferenceSums {
    long double acc[3] = {0, 0, 0}, jerk[3] = {0, 0, 0}, pot = 0;
    int nearest = -1;             // slot of the nearest j with another index, -1: nobody
    long double nearest_r2 = 0;   // its distance squared, unsoftened
    std::vector<int> neighbours;  // index of every j with r^2 < h2 and another index, by slot
    // Sums of the terms' sizes, to judge errors by, with s^2 = r^2 + eps2 and v = |v_i| + |v_j|:
    //   acc m r/s^3, jerk 4 m v/s^3, pot m/s.
    long double acc_size = 0, jerk_size = 0, pot_size = 0;
    // Errors of the sums per relative error of positions, with x = |x_i| + |x_j|, by the terms'
    // derivatives:
    //   acc 2 m x/s^3, jerk 24 m v x/s^4, pot m x/s^2.
    long double acc_by_x = 0, jerk_by_x = 0, pot_by_x = 0;
};

//   x_p = x + v s + a2 s^2 + j6 s^3 + 3/4 k18 s^4,  s = ti - t,  and v_p its derivative with s.
Predicted predict(const JParticle &j, double ti);
std::vector<Predicted> predict(const std::vector<JParticle> &j, double ti);

// Sums over all j, predicted to ti, on each i (Makino & Aarseth 1992, PASJ 44, 141, eqs. 1, 2).
// j with the index of i are left out; so are pairs at the same place when eps2 = 0.
std::vector<ReferenceSums> reference(const std::vector<JParticle> &j,
                                     const std::vector<IParticle> &i, double ti, double eps2);

}  // namespace g6tools
