// SPDX-License-Identifier: MIT
// The tests' reference: predictor, sums, nearest neighbour and lists in long double, written for
// clarity, not for speed.  With each sum are the sum of the sizes of its terms and its sensitivity
// to an error in position or velocity, from which tests/tolerance.h derives the allowed error.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace g6test {

using Real = long double;
using Vec3 = std::array<double, 3>;

// One j-particle as a client sends it: a2 = a/2, j6 = (da/dt)/6, k18 = (d2a/dt2)/18 at time t.
struct Body {
    int index = 0;
    double t = 0, mass = 0;
    Vec3 k18{}, j6{}, a2{}, v{}, x{};
};

// j-particle memory: slots that were written, by address.
using Memory = std::map<int, Body>;

struct Predicted {
    Real x[3], v[3];
    // Sums of the sizes of the polynomial's terms: rounding errors scale with them.
    Real x_size = 0, v_size = 0;
};

// snap: with the term of k18.
template <class Particle> Predicted predict(const Particle &b, double ti, bool snap = true)
{
    const Real s = Real(ti) - Real(b.t);
    Predicted p;
    for (int k = 0; k < 3; ++k) {
        const Real k18 = snap ? b.k18[k] : 0;
        const Real x[] = {b.x[k], b.v[k] * s, b.a2[k] * s * s, b.j6[k] * s * s * s,
                          Real(0.75) * k18 * s * s * s * s};
        const Real v[] = {b.v[k], 2 * b.a2[k] * s, 3 * b.j6[k] * s * s, 3 * k18 * s * s * s};
        p.x[k] = p.v[k] = 0;
        for (Real term : x) p.x[k] += term, p.x_size += std::fabs(term);
        for (Real term : v) p.v[k] += term, p.v_size += std::fabs(term);
    }
    return p;
}

struct Sums {
    Real acc[3] = {}, jerk[3] = {}, pot = 0;
    // Sums of |term|.
    Real acc_size = 0, jerk_size = 0, pot_size = 0;
    // Sums of |d term / d x| x_off and of |d term / d v| v_off.
    Real acc_by_x = 0, jerk_by_x = 0, jerk_by_v = 0, pot_by_x = 0;
};

// Adds one j-particle at the distance r with the relative velocity v; s2 = r^2 + eps2, not 0.
// x_off, v_off: errors of positions and velocities.
void add_pair(Sums &sums, const Real r[3], const Real v[3], Real mass, Real s2, Real x_off,
              Real v_off);

struct Expected : Sums {
    int nearest_address = -1, nearest_index = 0;  // -1: there is none
    Real nearest_r2 = 0;
    std::vector<int>
        neighbours;  // ascending indices, by GRAPE-6's rule: r^2 + eps2 < h2, not one's own
};

struct IParticle {
    int index;
    Vec3 x, v;
    double eps2, h2;
};

// Softenings squared of j-particles, by address; 0 where there is none.
using Softenings = std::map<int, double>;
double softening_of(const Softenings &eps2, int address);

// The force of slots 0 ... nj-1 of memory at time ti on one i-particle, with eps_ij^2 = eps_i^2 +
// eps_j^2.
Expected evaluate(const Memory &memory, int nj, double ti, const IParticle &i,
                  const Softenings &eps2 = {});

}  // namespace g6test
