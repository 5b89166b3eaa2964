// SPDX-License-Identifier: MIT
// Particle systems for the tests.  They are the same on every machine, because random bits become
// numbers here and not in the C++ library.
#pragma once

#include "reference.h"

#include <random>

namespace g6test {

class Random {
public:
    explicit Random(unsigned seed) : bits_(seed) {}
    // Uniform in [low, high).
    double operator()(double low, double high)
    {
        return low + (high - low) * std::ldexp(double(bits_() >> 11), -53);
    }
    Vec3 vector(double size)
    {
        return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)};
    }
    // Uniform in 0 ... n-1.
    int below(int n) { return int((*this)(0, n)); }

private:
    std::mt19937_64 bits_;
};

// Equal masses of total 1 in a cube of side 2, at rest.  Index = address + 1, as in phiGRAPE.
inline std::vector<Body> resting_bodies(int n, unsigned seed)
{
    Random random(seed);
    std::vector<Body> bodies(n);
    for (int k = 0; k < n; ++k) {
        bodies[k].index = k + 1;
        bodies[k].mass = 1.0 / n;
        bodies[k].x = random.vector(1);
    }
    return bodies;
}

// Unequal masses, every term of the predictor in use, own times in [-1/16, 1/16].
inline std::vector<Body> moving_bodies(int n, unsigned seed)
{
    Random random(seed);
    std::vector<Body> bodies = resting_bodies(n, seed);
    for (Body &b : bodies) {
        b.mass *= random(0.5, 1.5);
        b.t = random(-0.0625, 0.0625);
        b.v = random.vector(1);
        b.a2 = random.vector(1);
        b.j6 = random.vector(1);
        b.k18 = random.vector(1);
    }
    return bodies;
}

inline Body body_at(int index, const Vec3 &x, double mass = 1, const Vec3 &v = {})
{
    Body b;
    b.index = index, b.mass = mass, b.x = x, b.v = v;
    return b;
}

inline Vec3 scaled(const Vec3 &a, double factor)
{
    return {a[0] * factor, a[1] * factor, a[2] * factor};
}

// The same system in other units: lengths, masses and velocities multiplied.
inline std::vector<Body> in_units(std::vector<Body> bodies, double length, double mass,
                                  double velocity)
{
    const double time = length / velocity;
    for (Body &b : bodies) {
        b.t *= time;
        b.mass *= mass;
        b.x = scaled(b.x, length);
        b.v = scaled(b.v, velocity);
        b.a2 = scaled(b.a2, velocity / time);
        b.j6 = scaled(b.j6, velocity / time / time);
        b.k18 = scaled(b.k18, velocity / time / time / time);
    }
    return bodies;
}

// One block of i-particles.
struct IBlock {
    std::vector<int> index;
    std::vector<Vec3> x, v;
    std::vector<double> h2;
    double eps2 = 0;

    int size() const { return int(index.size()); }
    void add(int i, const Vec3 &xi, const Vec3 &vi = {}, double radius2 = 0)
    {
        index.push_back(i), x.push_back(xi), v.push_back(vi), h2.push_back(radius2);
    }
    IParticle particle(int k) const { return {index[k], x[k], v[k], eps2, h2[k]}; }
};

// Bodies first ... first+n-1, predicted to ti, as a block: what an integrator sends.
inline IBlock block_of(const std::vector<Body> &bodies, int first, int n, double ti = 0,
                       double eps2 = 1.0 / 65536, double h2 = 0.25)
{
    IBlock block;
    block.eps2 = eps2;
    for (int k = first; k < first + n; ++k) {
        const Predicted p = predict(bodies[k], ti);
        block.add(bodies[k].index, {double(p.x[0]), double(p.x[1]), double(p.x[2])},
                  {double(p.v[0]), double(p.v[1]), double(p.v[2])}, h2);
    }
    return block;
}

}  // namespace g6test
