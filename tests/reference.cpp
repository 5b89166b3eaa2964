// SPDX-License-Identifier: MIT
// The sums of the tests' reference.  Unlike the tests, this file is compiled with optimisation,
// since these sums take most of the time.
#include "reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace g6test {

// With s = sqrt(r^2 + eps2), the derivatives of the terms are at most
//     d acc / dx                     2 m / s^3
//     d jerk / dx   (3 + 3 + 3 + 15) m |v| / s^4
//     d jerk / dv              (1 + 3) m / s^3
//     d pot / dx                       m / s^2
void add_pair(Sums &sums, const Real r[3], const Real v[3], Real mass, Real s2, Real x_off,
              Real v_off)
{
    const Real rv = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
    const Real s = std::sqrt(s2), m3 = mass / (s2 * s), m = std::fabs(m3);
    const Real distance = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    const Real speed = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; ++k) {
        sums.acc[k] += m3 * r[k];
        sums.jerk[k] += m3 * (v[k] - 3 * rv / s2 * r[k]);
    }
    sums.pot -= m3 * s2;
    sums.acc_size += m * distance, sums.acc_by_x += 2 * m * x_off;
    sums.jerk_size += 4 * m * speed, sums.jerk_by_v += 4 * m * v_off;
    sums.jerk_by_x += 24 * m * speed / s * x_off;
    sums.pot_size += m * s2, sums.pot_by_x += m * s * x_off;
}

double softening_of(const Softenings &eps2, int address)
{
    if (eps2.empty()) return 0;
    const auto found = eps2.find(address);
    return found == eps2.end() ? 0 : found->second;
}

namespace {

// What predict() returned for the body that was number k of a sum before: most sums are over the
// bodies of the sum before, at the same time.
const Predicted &predict_known(std::size_t k, const Body &body, double ti)
{
    struct Known {
        double ti;
        Body body;
        Predicted p;
    };
    static thread_local std::vector<Known> known;
    if (k >= known.size()) known.push_back({ti, body, predict(body, ti)});
    Known &one = known[k];
    if (one.ti != ti || std::memcmp(&one.body, &body, sizeof body) != 0)
        one = {ti, body, predict(body, ti)};
    return one.p;
}

}  // namespace

Expected evaluate(const Memory &memory, int nj, double ti, const IParticle &i,
                  const Softenings &eps2)
{
    Expected e;
    std::size_t number = 0;
    for (const auto &[address, body] : memory) {
        if (address >= nj) break;
        const Predicted &p = predict_known(number++, body, ti);
        IParticle pair = i;
        pair.eps2 += softening_of(eps2, address);
        Real r[3], v[3], r2 = 0;
        for (int k = 0; k < 3; ++k) {
            r[k] = p.x[k] - i.x[k], v[k] = p.v[k] - i.v[k];
            r2 += r[k] * r[k];
        }
        if (body.index == i.index) continue;
        const Real s2 = r2 + pair.eps2;
        if (s2 < i.h2) e.neighbours.push_back(body.index);
        const Real v_size = p.v_size + std::fabs(i.v[0]) + std::fabs(i.v[1]) + std::fabs(i.v[2]);
        // Coincident and unsoftened: contributes nothing.
        if (s2 != 0) add_pair(e, r, v, body.mass, s2, p.x_size, v_size);
        if (e.nearest_address < 0 || r2 < e.nearest_r2) {
            e.nearest_address = address, e.nearest_index = body.index, e.nearest_r2 = r2;
        }
    }
    std::sort(e.neighbours.begin(), e.neighbours.end());
    return e;
}

}  // namespace g6test
