// SPDX-License-Identifier: MIT
// Sums forces over the j-particles, and beside them the sizes of the terms, from which allowed
// errors follow.
#include "reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <thread>

namespace g6tools {
namespace {

using Real = long double;

// Adds the terms of one j-particle; r, v: its position and velocity relative to the i-particle.
void add_pair(const Real r[3], const Real v[3], Real r2, Real mass, Real eps2, ReferenceSums &sums)
{
    const Real s2 = r2 + eps2;
    if (s2 == 0) return;
    const Real pot = mass / std::sqrt(s2), pull = pot / s2;
    const Real approach = 3 * (r[0] * v[0] + r[1] * v[1] + r[2] * v[2]) / s2;
    for (int d = 0; d < 3; d++) {
        sums.acc[d] += pull * r[d];
        sums.jerk[d] += pull * (v[d] - approach * r[d]);
    }
    sums.pot -= pot;
}

Real length(const Real a[3])
{
    return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// Adds the sizes of the terms of a pair.
void add_sizes(const Predicted &j, const IParticle &i, Real r2, Real mass, Real eps2,
               ReferenceSums &sums)
{
    const Real s2 = r2 + eps2, s = std::sqrt(s2);
    if (s2 == 0) return;
    const Real xi[3] = {i.x[0], i.x[1], i.x[2]}, vi[3] = {i.v[0], i.v[1], i.v[2]};
    const Real x = length(xi) + length(j.x), v = length(vi) + length(j.v), pull = mass / (s2 * s);
    sums.acc_size += pull * std::sqrt(r2);
    sums.jerk_size += 4 * pull * v;
    sums.pot_size += mass / s;
    sums.acc_by_x += 2 * pull * x;
    sums.jerk_by_x += 24 * pull * v * x / s;
    sums.pot_by_x += mass * x / s2;
}

ReferenceSums sum_over(const std::vector<JParticle> &j, const std::vector<Predicted> &place,
                       const IParticle &i, Real eps2)
{
    ReferenceSums sums;
    for (std::size_t slot = 0; slot < j.size(); slot++) {
        if (j[slot].index == i.index) continue;
        Real r[3], v[3];
        for (int d = 0; d < 3; d++) {
            r[d] = place[slot].x[d] - i.x[d];
            v[d] = place[slot].v[d] - i.v[d];
        }
        const Real r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
        add_pair(r, v, r2, j[slot].mass, eps2, sums);
        add_sizes(place[slot], i, r2, j[slot].mass, eps2, sums);
        if (r2 < i.h2) sums.neighbours.push_back(j[slot].index);
        if (sums.nearest < 0 || r2 < sums.nearest_r2) {
            sums.nearest = static_cast<int>(slot);
            sums.nearest_r2 = r2;
        }
    }
    return sums;
}

// Starting a thread takes as long as some thousand pairs of particles.
std::size_t other_threads(std::size_t pairs)
{
    constexpr std::size_t kPairsOfThread = 20000;
    const char *const limit = std::getenv("OMP_NUM_THREADS");
    const int most =
        limit ? std::atoi(limit) : static_cast<int>(std::thread::hardware_concurrency());
    return std::min(pairs / kPairsOfThread, static_cast<std::size_t>(std::max(1, most)) - 1);
}

}  // namespace

Predicted predict(const JParticle &j, double ti)
{
    const Real s = Real(ti) - Real(j.t);
    Predicted p;
    for (int d = 0; d < 3; d++) {
        const Real snap = 3 * Real(j.k18[d]);
        p.x[d] = j.x[d] + s * (j.v[d] + s * (j.a2[d] + s * (j.j6[d] + s * snap / 4)));
        p.v[d] = j.v[d] + s * (2 * Real(j.a2[d]) + s * (3 * Real(j.j6[d]) + s * snap));
    }
    return p;
}

std::vector<Predicted> predict(const std::vector<JParticle> &j, double ti)
{
    std::vector<Predicted> places(j.size());
    for (std::size_t k = 0; k < j.size(); k++) places[k] = predict(j[k], ti);
    return places;
}

std::vector<ReferenceSums> reference(const std::vector<JParticle> &j,
                                     const std::vector<IParticle> &i, double ti, double eps2)
{
    const std::vector<Predicted> places = predict(j, ti);
    std::vector<ReferenceSums> sums(i.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t k; (k = next++) < i.size();) sums[k] = sum_over(j, places, i[k], eps2);
    };
    std::vector<std::thread> others(other_threads(i.size() * j.size()));
    for (std::thread &t : others) t = std::thread(work);
    work();
    for (std::thread &t : others) t.join();
    return sums;
}

}  // namespace g6tools
