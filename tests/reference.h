// SPDX-License-Identifier: MIT
// The tests' own answer: predictor, sums, nearest neighbour and lists in long double, written for
// reading, not for speed.  Beside each sum stand the sum of its terms' sizes, and how much it
// changes with an error in position or velocity, from which tests/tolerance.h derives what is
// allowed.
#pragma once

#include <algorithm>
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

inline Predicted predict(const Body &b, double ti)
{
    const Real s = Real(ti) - Real(b.t);
    Predicted p;
    for (int k = 0; k < 3; ++k) {
        const Real x[] = {b.x[k], b.v[k] * s, b.a2[k] * s * s, b.j6[k] * s * s * s,
                          Real(0.75) * b.k18[k] * s * s * s * s};
        const Real v[] = {b.v[k], 2 * b.a2[k] * s, 3 * b.j6[k] * s * s, 3 * b.k18[k] * s * s * s};
        p.x[k] = p.v[k] = 0;
        for (Real term : x) p.x[k] += term, p.x_size += std::fabs(term);
        for (Real term : v) p.v[k] += term, p.v_size += std::fabs(term);
    }
    return p;
}

struct Expected {
    Real acc[3] = {}, jerk[3] = {}, pot = 0;
    // Sums of |term|.
    Real acc_size = 0, jerk_size = 0, pot_size = 0;
    // Sums of |d term / d x| |x| and of |d term / d v| |v|.
    Real acc_by_x = 0, jerk_by_x = 0, jerk_by_v = 0, pot_by_x = 0;
    int nearest_address = -1, nearest_index = 0;  // -1: there is none
    Real nearest_r2 = 0;
    std::vector<int> neighbours;  // ascending indices
};

// What a neighbour list holds, at first by GRAPE-6's rule.
struct ListRule {
    bool own = false;      // also j-particles with the i-particle's own index
    bool softened = true;  // r^2 + eps2 < h2, else r^2 < h2
};
constexpr ListRule kGpuLists = {true, false};  // the rule of GPU libraries

struct IParticle {
    int index;
    Vec3 x, v;
    double eps2, h2;
};

// Adds one j-particle at the distance r with the relative velocity v.  With s = sqrt(r^2 + eps2),
// the derivatives of its terms are at most
//     d acc / dx                     2 m / s^3
//     d jerk / dx   (3 + 3 + 3 + 15) m |v| / s^4
//     d jerk / dv              (1 + 3) m / s^3
//     d pot / dx                       m / s^2
inline void add_pair(Expected &e, const Real r[3], const Real v[3], const Predicted &p, double mass,
                     const IParticle &i)
{
    const Real r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], s2 = r2 + i.eps2;
    if (s2 == 0) return;  // coincident and unsoftened: contributes nothing
    const Real rv = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
    const Real s = std::sqrt(s2), m3 = mass / (s2 * s);
    const Real speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const Real v_size = p.v_size + std::fabs(i.v[0]) + std::fabs(i.v[1]) + std::fabs(i.v[2]);
    for (int k = 0; k < 3; ++k) {
        e.acc[k] += m3 * r[k];
        e.jerk[k] += m3 * (v[k] - 3 * rv / s2 * r[k]);
    }
    e.pot -= mass / s;
    e.acc_size += m3 * std::sqrt(r2), e.acc_by_x += 2 * m3 * p.x_size;
    e.jerk_size += 4 * m3 * speed, e.jerk_by_v += 4 * m3 * v_size;
    e.jerk_by_x += 24 * m3 * speed / s * p.x_size;
    e.pot_size += mass / s, e.pot_by_x += mass / s2 * p.x_size;
}

// The force of slots 0 ... nj-1 of memory at time ti on one i-particle.
inline Expected evaluate(const Memory &memory, int nj, double ti, const IParticle &i,
                         ListRule rule = {})
{
    Expected e;
    for (const auto &[address, body] : memory) {
        if (address >= nj) break;
        const Predicted p = predict(body, ti);
        Real r[3], v[3], r2 = 0;
        for (int k = 0; k < 3; ++k) {
            r[k] = p.x[k] - i.x[k], v[k] = p.v[k] - i.v[k];
            r2 += r[k] * r[k];
        }
        const bool own = body.index == i.index;
        const bool inside = (rule.softened ? r2 + i.eps2 : r2) < i.h2;
        if (inside && (!own || rule.own)) e.neighbours.push_back(body.index);
        if (own) continue;
        add_pair(e, r, v, p, body.mass, i);
        if (e.nearest_address < 0 || r2 < e.nearest_r2) {
            e.nearest_address = address, e.nearest_index = body.index, e.nearest_r2 = r2;
        }
    }
    std::sort(e.neighbours.begin(), e.neighbours.end());
    return e;
}

}  // namespace g6test
