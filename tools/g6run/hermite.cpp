// SPDX-License-Identifier: MIT
// The predictor, the corrector and the time-step criteria of the Hermite scheme.
#include "hermite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6run {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double norm2(const double u[3])
{
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
}

// The acceleration that the formulas of steps take for |a|.
double scale_of(const double a[3], double field)
{
    return std::max(std::sqrt(norm2(a)), field / 16);
}

// dt = sqrt(eta (|a||a2| + |j|^2) / (|j||a3| + |a2|^2)), eq. 7 of the paper, after a step of length
// h.
//
// The second and third derivative contain 6 (a1 - a0) / h^2 and 12 (a0 - a1) / h^3.  The rounding
// of the force's terms adds 6 noise |a| / h^2 and 12 noise |a| / h^3 to them.  In short steps this
// noise is the larger part, and asks for steps that are shorter still.  So a derivative below four
// times its noise is left out.  The step may then double, until the derivative exceeds its noise.
double aarseth_step(const Body &b, double h, const double snap[3], const double crackle[3],
                    double field, const Criterion &criterion)
{
    const double a = std::sqrt(norm2(b.a)), j2 = norm2(b.j);
    const double rounding = 4 * criterion.noise * std::max(a, field);
    double s = std::sqrt(norm2(snap)), c = std::sqrt(norm2(crackle));
    if (s < 6 * rounding / (h * h)) s = 0;
    if (c < 12 * rounding / (h * h * h)) c = 0;
    const double above = a * s + j2, below = std::sqrt(j2) * c + s * s;
    if (below == 0) return kInfinity;
    return std::sqrt(criterion.eta * (above / below));
}

// sqrt(eta) times |a|/|j|, or times fall_time() where that is shorter: |a|/|j| has no bound where
// the jerk passes through zero.
double tree_step(const Body &b, double pot, const Criterion &criterion)
{
    const double j = std::sqrt(norm2(b.j));
    const double scale = scale_of(b.a, field_strength(pot, criterion.mass));
    const double change = j > 0 ? scale / j : kInfinity;
    return std::sqrt(criterion.eta) * std::min(change, fall_time(pot, criterion.mass));
}

}  // namespace

double field_strength(double pot, double mass)
{
    return mass > 0 ? pot * pot / mass : 0;
}

double fall_time(double pot, double mass)
{
    const double depth = std::fabs(pot);
    return depth > 0 ? mass / (depth * std::sqrt(depth)) : kInfinity;
}

void predict(const Body &b, double t, double x[3], double v[3])
{
    const double s = t - b.t;
    for (int d = 0; d < 3; d++) {
        x[d] = b.x[d] + s * (b.v[d] + s * (b.a[d] / 2 + s * (b.j[d] / 6)));
        v[d] = b.v[d] + s * (b.a[d] + s * (b.j[d] / 2));
    }
}

double correct(Body &b, double t, const double acc[3], const double jerk[3], double pot,
               const Criterion &criterion)
{
    const double h = t - b.t;
    double snap[3], crackle[3];
    for (int d = 0; d < 3; d++) {
        const double a0 = b.a[d], j0 = b.j[d], a1 = acc[d], j1 = jerk[d];
        // Second and third derivatives at the start of the step (eqs. 8, 9).
        const double s0 = (-6 * (a0 - a1) - h * (4 * j0 + 2 * j1)) / (h * h);
        const double c0 = (12 * (a0 - a1) + 6 * h * (j0 + j1)) / (h * h * h);
        // The quintic through both ends (eqs. 4, 5, 10, 11).
        b.x[d] += h * (b.v[d] + h * (a0 / 2 + h * (j0 / 6 + h * (s0 / 24 + h * (c0 / 120)))));
        b.v[d] += h * (a0 + h * (j0 / 2 + h * (s0 / 6 + h * (c0 / 24))));
        b.a[d] = a1;
        b.j[d] = j1;
        snap[d] = s0 + h * c0;
        crackle[d] = c0;
    }
    b.t = t;
    if (criterion.tree) return tree_step(b, pot, criterion);
    return aarseth_step(b, h, snap, crackle, field_strength(pot, criterion.mass), criterion);
}

bool is_too_long(const Body &b, double t, const double acc[3], const double jerk[3], double pot,
                 double mass)
{
    const double h = t - b.t;
    double added[3];  // what the corrector adds to the predicted velocity, divided by h
    for (int d = 0; d < 3; d++) added[d] = (acc[d] - b.a[d]) / 2 - h * (5 * b.j[d] + jerk[d]) / 12;
    const double scale = std::max({scale_of(b.a, field_strength(pot, mass)), std::sqrt(norm2(acc)),
                                   h * std::sqrt(norm2(b.j))});
    return std::sqrt(norm2(added)) > scale / 6;
}

double starting_step(const Body &b, const double snap[3], double pot, double mass, double eta_start)
{
    const double a = scale_of(b.a, field_strength(pot, mass));
    // The larger of |j|/|a| and sqrt(|a2|/|a|).
    const double rate =
        a > 0 ? std::max(std::sqrt(norm2(b.j)) / a, std::pow(norm2(snap), 0.25) / std::sqrt(a)) : 0;
    return 16 * rate * fall_time(pot, mass) > 1 ? eta_start / rate : kInfinity;
}

}  // namespace g6run
