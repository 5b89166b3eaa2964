// SPDX-License-Identifier: MIT
// The sums of the tests' own answer.  The compiler optimises this file, unlike the tests, whose time
// goes into these sums.
#include "reference.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace g6test {

Predicted predict(const Body &b, double ti)
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

// Adds one j-particle at the distance r with the relative velocity v.  With s = sqrt(r^2 + eps2),
// the derivatives of its terms are at most
//     d acc / dx                     2 m / s^3
//     d jerk / dx   (3 + 3 + 3 + 15) m |v| / s^4
//     d jerk / dv              (1 + 3) m / s^3
//     d pot / dx                       m / s^2
void add_pair(Expected &e, const Real r[3], const Real v[3], const Predicted &p, double mass,
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

Expected evaluate(const Memory &memory, int nj, double ti, const IParticle &i, ListRule rule,
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
        const bool own = body.index == i.index;
        const bool inside = (rule.softened ? r2 + pair.eps2 : r2) < i.h2;
        if (inside && (!own || rule.own)) e.neighbours.push_back(body.index);
        if (own) continue;
        add_pair(e, r, v, p, body.mass, pair);
        if (e.nearest_address < 0 || r2 < e.nearest_r2) {
            e.nearest_address = address, e.nearest_index = body.index, e.nearest_r2 = r2;
        }
    }
    std::sort(e.neighbours.begin(), e.neighbours.end());
    return e;
}

}  // namespace g6test
