// SPDX-License-Identifier: MIT
#include "plummer.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace g6tools {
namespace {

// The standard fixes the bits of mt19937_64 but not those of its distributions.
class Uniform {
public:
    explicit Uniform(std::uint64_t seed) : bits_(seed) {}
    // In the open interval (0, 1), 53 bits.
    double operator()() { return (static_cast<double>(bits_() >> 11) + 0.5) * 0x1p-53; }

private:
    std::mt19937_64 bits_;
};

// Nothing below calls pow, sin or cos, whose last bits differ between machines: only the sqrt and
// the arithmetic that IEEE 754 fixes.

// Marsaglia 1972, Ann. Math. Stat. 43, 645.
void random_direction(Uniform &uniform, double length, double out[3])
{
    for (;;) {
        const double u = 2 * uniform() - 1, w = 2 * uniform() - 1;
        const double s = u * u + w * w;
        if (s >= 1) continue;
        const double side = 2 * length * std::sqrt(1 - s);
        out[0] = u * side;
        out[1] = w * side;
        out[2] = length * (1 - 2 * s);
        return;
    }
}

// Radius in units of the scale length, from the mass fraction inside it: m = r^3/(1+r^2)^(3/2).
// The cube root of a uniform m is distributed as the largest of three uniform numbers.
double random_radius(Uniform &uniform)
{
    for (;;) {
        const double u = uniform(), w = uniform(), c = std::max({u, w, uniform()});
        const double r = c / std::sqrt((1 - c) * (1 + c));
        if (r * kPlummerScale < kPlummerRadius) return r;
    }
}

// Speed in parts of the escape speed: density q^2 (1-q^2)^(7/2), whose maximum is 0.092.
double random_speed(Uniform &uniform)
{
    for (;;) {
        const double q = uniform(), w = 1 - q * q;
        if (0.1 * uniform() < q * q * w * w * w * std::sqrt(w)) return q;
    }
}

void centre(std::vector<Body> &bodies)
{
    double x[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    for (const Body &b : bodies)
        for (int d = 0; d < 3; d++) {
            x[d] += b.mass * b.x[d];
            v[d] += b.mass * b.v[d];
        }
    for (Body &b : bodies)
        for (int d = 0; d < 3; d++) {
            b.x[d] -= x[d];
            b.v[d] -= v[d];
        }
}

}  // namespace

std::vector<Body> plummer(std::size_t n, std::uint64_t seed)
{
    Uniform uniform(seed);
    std::vector<Body> bodies(n);
    for (Body &b : bodies) {
        b.mass = 1.0 / static_cast<double>(n);
        const double r = random_radius(uniform);
        random_direction(uniform, r * kPlummerScale, b.x);
        // Escape speed sqrt(2/b) (1+r^2)^(-1/4).
        const double escape = std::sqrt(2 / (kPlummerScale * std::sqrt(1 + r * r)));
        random_direction(uniform, random_speed(uniform) * escape, b.v);
    }
    centre(bodies);
    return bodies;
}

}  // namespace g6tools
