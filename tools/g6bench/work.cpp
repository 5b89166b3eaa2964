// SPDX-License-Identifier: MIT
// Makes the j-particles of the sphere with their derivatives, and blocks of particles that are
// scattered over memory.
#include "work.h"

#include "../common/plummer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace g6bench {
namespace {

using g6tools::JParticle;

// Steps of 2^-10 ... 2^-5, different for neighbours in memory.
double own_step(int address)
{
    return std::ldexp(1.0, -10 + address % 6);
}

// a = -x u^-3 with u^2 = x^2 + b^2, the pull of the smooth sphere, and its first two derivatives
// along the motion x' = v, v' = a.
void smooth_force(const double x[3], const double v[3], JParticle &j)
{
    const double b = g6tools::kPlummerScale;
    double u2 = b * b, xv = 0, vv = 0, xa = 0, a[3];
    for (int d = 0; d < 3; d++) u2 += x[d] * x[d];
    const double f = 1 / (u2 * std::sqrt(u2));
    for (int d = 0; d < 3; d++) {
        a[d] = -f * x[d];
        xv += x[d] * v[d];
        vv += v[d] * v[d];
        xa += x[d] * a[d];
    }
    // With w = 3 x.v/u^2: f' = -f w,  f'' = f (w^2 - w').
    const double w = 3 * xv / u2, w1 = 3 * (vv + xa) / u2 - 2 * xv / u2 * w;
    for (int d = 0; d < 3; d++) {
        const double jerk = -f * v[d] + f * w * x[d];
        const double snap = -f * a[d] + 2 * f * w * v[d] - f * (w * w - w1) * x[d];
        j.a2[d] = a[d] / 2;
        j.j6[d] = jerk / 6;
        j.k18[d] = snap / 18;
    }
}

}  // namespace

Work::Work(int nj, std::uint64_t seed, bool snap, bool unordered)
{
    const auto bodies = g6tools::plummer(static_cast<std::size_t>(nj), seed);
    particles_.resize(bodies.size());
    for (int k = 0; k < nj; k++) {
        const g6tools::Body &b = bodies[static_cast<std::size_t>(k)];
        JParticle &p = particles_[static_cast<std::size_t>(k)];
        p.index = k + 1;  // not the address, which a library might return by mistake
        p.mass = b.mass;
        p.t = -own_step(k);
        for (int d = 0; d < 3; d++) {
            p.x[d] = b.x[d];
            p.v[d] = b.v[d];
        }
        smooth_force(b.x, b.v, p);
        if (!snap) std::fill_n(p.k18, 3, 0.0);
    }
    order_.resize(particles_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::mt19937_64 bits(seed + 1);
    for (std::size_t k = order_.size(); k > 1; k--) std::swap(order_[k - 1], order_[bits() % k]);
    if (!unordered) return;
    // Pairing order_ with itself in reverse order gives a random permutation.
    for (std::size_t k = 0; k < order_.size(); k++)
        particles_[static_cast<std::size_t>(order_[k])].index = order_[order_.size() - 1 - k] + 1;
}

// The times of the blocks run through 64 values, so that every block needs a new prediction.
double Work::next_time()
{
    step_ = (step_ + 1) % 64;
    return std::ldexp(step_, -12);
}

Block Work::make_block(const int *first, int n, double ti, double h2) const
{
    Block b;
    b.ti = ti;
    b.address.assign(first, first + n);
    b.h2.assign(static_cast<std::size_t>(n), h2);
    for (int address : b.address) {
        const JParticle &p = particles_[static_cast<std::size_t>(address)];
        const g6tools::Predicted place = g6tools::predict(p, ti);
        Vec3 x, v, a, j6;
        double x2 = g6tools::kPlummerScale * g6tools::kPlummerScale;
        for (std::size_t d = 0; d < 3; d++) {
            x[d] = static_cast<double>(place.x[d]);
            v[d] = static_cast<double>(place.v[d]);
            a[d] = 2 * p.a2[d];
            j6[d] = p.j6[d];
            x2 += x[d] * x[d];
        }
        b.j.push_back(p);
        b.t.push_back(p.t);
        b.mass.push_back(p.mass);
        b.k18.push_back({p.k18[0], p.k18[1], p.k18[2]});
        b.j6.push_back({p.j6[0], p.j6[1], p.j6[2]});
        b.a2.push_back({p.a2[0], p.a2[1], p.a2[2]});
        b.jv.push_back({p.v[0], p.v[1], p.v[2]});
        b.jx.push_back({p.x[0], p.x[1], p.x[2]});
        b.index.push_back(p.index);
        b.x.push_back(x);
        b.v.push_back(v);
        b.aold.push_back(a);
        b.j6old.push_back(j6);
        b.phiold.push_back(-1 / std::sqrt(x2));
    }
    return b;
}

Block Work::next_block(int n, double h2)
{
    if (cursor_ + n > nj()) cursor_ = 0;
    const int *first = order_.data() + cursor_;
    cursor_ += n;
    const double ti = next_time();
    for (int k = 0; k < n; k++)
        particles_[static_cast<std::size_t>(first[k])].t = ti - own_step(first[k]);
    return make_block(first, n, ti, h2);
}

Block Work::whole(double h2)
{
    std::vector<int> all(particles_.size());
    std::iota(all.begin(), all.end(), 0);
    return make_block(all.data(), nj(), next_time(), h2);
}

}  // namespace g6bench
