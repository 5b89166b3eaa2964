// SPDX-License-Identifier: MIT
// Solves Poisson's equation with a fourth-order Runge-Kutta scheme, and draws bodies from the
// solution: radii by the mass inside, speeds by rejection.
#include "king.h"

#include "random.h"

#include <algorithm>
#include <cmath>

namespace g6tools {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kFirstRadius = 1e-3;
// Step of the fourth-order Runge-Kutta scheme, relative to the radius.
constexpr double kStep = 0.005;
constexpr double kEdge = 1e-12;

// For small W the terms of rho(W) cancel, so that a series replaces them:
//   8 W^(5/2) / (15 sqrt pi) (1 + 2 W / 7 + ...)
double density(double w)
{
    if (w <= 0) return 0;
    if (w < 0.01)
        return 8 * w * w * std::sqrt(w) / (15 * std::sqrt(kPi)) *
               (1 + 2 * w / 7 * (1 + 2 * w / 9 * (1 + 2 * w / 11)));
    return std::exp(w) * std::erf(std::sqrt(w)) - std::sqrt(4 * w / kPi) * (1 + 2 * w / 3);
}

// Density of speeds where the potential is W; u is in units of the escape speed:
//   u^2 (exp(W (1 - u^2)) - 1)
double speed_density(double w, double u)
{
    return u * u * std::expm1(w * (1 - u * u));
}

// The speed u at the maximum of speed_density(), by bisection: there
//   exp(W (1 - u^2)) (1 - W u^2) = 1,
// and the left side falls with u.
double commonest_speed(double w)
{
    double low = 0, high = 1;
    for (int halving = 0; halving < 40; halving++) {
        const double u = 0.5 * (low + high);
        (std::exp(w * (1 - u * u)) * (1 - w * u * u) > 1 ? low : high) = u;
    }
    return 0.5 * (low + high);
}

double random_speed(double w, Uniform &uniform)
{
    if (w <= 0) return 0;
    const double most = 1.0001 * speed_density(w, commonest_speed(w));
    for (;;) {
        const double u = uniform();
        if (most * uniform() < speed_density(w, u)) return u;
    }
}

}  // namespace

King::King(double w0)
{
    solve(w0);
    const Point &edge = points_.back();
    // The total mass 4 pi rho_0 r_c^3 m is 1, and the potential energy -(p / m^2) / r_c is -1/2.
    core_ = 2 * edge.p / (edge.m * edge.m);
    sigma_ = std::sqrt(1 / (9 * core_ * edge.m));
}

King::Point King::derivative(const Point &at) const
{
    const double rho = density(at.w) / central_;
    return {1, -9 * at.m / (at.x * at.x), rho * at.x * at.x, at.m * rho * at.x};
}

King::Point King::step(const Point &at, double h) const
{
    const auto moved = [&](const Point &d, double by) {
        return Point{at.x + by * d.x, at.w + by * d.w, at.m + by * d.m, at.p + by * d.p};
    };
    const Point a = derivative(at), b = derivative(moved(a, h / 2)),
                c = derivative(moved(b, h / 2)), d = derivative(moved(c, h));
    const auto mean = [&](double Point::*k) { return (a.*k + 2 * (b.*k) + 2 * (c.*k) + d.*k) / 6; };
    return moved({1, mean(&Point::w), mean(&Point::m), mean(&Point::p)}, h);
}

// The last steps are Newton's, by the slope of W.  W(x) is convex near the tidal radius, so that
// these steps approach the radius from inside.
void King::solve(double w0)
{
    central_ = density(w0);
    const double x = kFirstRadius;
    points_ = {{0, w0, 0, 0}, {x, w0 - 1.5 * x * x, x * x * x / 3, std::pow(x, 5) / 15}};
    while (points_.back().w > kEdge * w0) {
        const Point &at = points_.back();
        const double to_edge = at.w / -derivative(at).w;
        points_.push_back(step(at, std::min(kStep * at.x, to_edge)));
    }
}

std::vector<Body> King::bodies(std::size_t n, std::uint64_t seed) const
{
    Uniform uniform(seed);
    std::vector<Body> bodies(n);
    for (Body &b : bodies) {
        b.mass = 1.0 / static_cast<double>(n);
        const double mass = uniform() * points_.back().m;
        const auto above = std::lower_bound(points_.begin() + 1, points_.end() - 1, mass,
                                            [](const Point &p, double m) { return p.m < m; });
        const Point &out = *above, &in = *(above - 1);
        // Within one interval the mass goes as the volume.
        const double part = (mass - in.m) / (out.m - in.m);
        const double x =
            std::cbrt(in.x * in.x * in.x + part * (std::pow(out.x, 3) - std::pow(in.x, 3)));
        const double w = in.w + (x - in.x) / (out.x - in.x) * (out.w - in.w);
        random_direction(uniform, x * core_, b.x);
        const double speed = random_speed(w, uniform) * std::sqrt(2 * std::max(w, 0.0)) * sigma_;
        random_direction(uniform, speed, b.v);
    }
    centre(bodies);
    return bodies;
}

}  // namespace g6tools
