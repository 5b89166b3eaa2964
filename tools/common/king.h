// SPDX-License-Identifier: MIT
// King's sphere (King 1966, AJ 71, 64): an isothermal sphere whose distribution of energies is
// lowered to zero at a tidal radius, f(E) ~ exp(-E/sigma^2) - 1.
//
// Poisson's equation is solved from the centre outwards for the scaled potential W = -phi/sigma^2,
// which is zero at the tidal radius.  x is the radius in King's core radii, r_c^2 = 9 sigma^2 /
// (4 pi G rho_0):
//   (1/x^2) d/dx (x^2 dW/dx) = -9 rho(W)/rho(W0)
//   rho(W) = exp(W) erf(sqrt W) - sqrt(4 W / pi) (1 + 2 W / 3)
#pragma once

#include "plummer.h"

namespace g6tools {

class King {
public:
    // W0: the scaled potential W at the centre.
    explicit King(double w0);

    // In N-body units: G = 1, total mass 1, energy -1/4.
    double core_radius() const { return core_; }
    double tidal_radius() const { return core_ * points_.back().x; }

    // n equal masses.  Centre of mass at rest at the origin.
    std::vector<Body> bodies(std::size_t n, std::uint64_t seed) const;

private:
    // The solution at radius x.  m is the integral of rho x^2, p that of m rho x; rho is in units
    // of the central density.
    struct Point {
        double x, w, m, p;
    };
    Point derivative(const Point &at) const;
    Point step(const Point &at, double h) const;
    void solve(double w0);

    double central_ = 1;  // rho(W0)
    std::vector<Point> points_;
    double core_ = 1, sigma_ = 1;
};

}  // namespace g6tools
