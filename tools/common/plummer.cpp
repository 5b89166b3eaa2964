// SPDX-License-Identifier: MIT
// Draws the bodies of a Plummer sphere: radii by the mass inside, speeds by rejection.
#include "plummer.h"

#include "random.h"

#include <algorithm>
#include <cmath>

namespace g6tools {
namespace {

// The code below does not call pow, sin or cos, whose last bits differ between machines, but only
// sqrt and the arithmetic that IEEE 754 fixes.

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

}  // namespace

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
