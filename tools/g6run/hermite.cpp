// SPDX-License-Identifier: MIT
#include "hermite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace g6run {
namespace {

double norm2(const double u[3])
{
    return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
}

// dt = sqrt(eta (|a||a2| + |j|^2) / (|j||a3| + |a2|^2)), eq. 7 of the paper, after a step of length
// h.
//
// The third derivative is 12 (a0 - a1) / h^3 and more, in which the rounding of the forces counts
// for 12 noise |a| / h^3: it would ask for ever shorter steps, in which it grows without bound.  So
// a value below four times that is taken for noise and left out; the step may then double, and the
// derivative is seen again.
double aarseth_step(const Body &b, double h, const double snap[3], const double crackle[3],
                    const Criterion &criterion)
{
    const double a = std::sqrt(norm2(b.a)), j2 = norm2(b.j), s2 = norm2(snap);
    double c = std::sqrt(norm2(crackle));
    if (c < 4 * 12 * criterion.noise * a / (h * h * h)) c = 0;
    const double above = a * std::sqrt(s2) + j2, below = std::sqrt(j2) * c + s2;
    if (below == 0) return std::numeric_limits<double>::infinity();
    return std::sqrt(criterion.eta * (above / below));
}

double tree_step(const Body &b, double eta)
{
    const double j2 = norm2(b.j);
    return j2 > 0 ? std::sqrt(eta * (norm2(b.a) / j2)) : std::numeric_limits<double>::infinity();
}

}  // namespace

void predict(const Body &b, double t, double x[3], double v[3])
{
    const double s = t - b.t;
    for (int d = 0; d < 3; d++) {
        x[d] = b.x[d] + s * (b.v[d] + s * (b.a[d] / 2 + s * (b.j[d] / 6)));
        v[d] = b.v[d] + s * (b.a[d] + s * (b.j[d] / 2));
    }
}

double correct(Body &b, double t, const double acc[3], const double jerk[3],
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
    if (criterion.tree) return tree_step(b, criterion.eta);
    return aarseth_step(b, h, snap, crackle, criterion);
}

double starting_step(const Body &b, const double snap[3], double eta_start)
{
    const double a2 = norm2(b.a), j2 = norm2(b.j), s2 = norm2(snap);
    // (1/time)^2 of either kind.
    const double rate2 = std::max(j2 / a2, std::sqrt(s2 / a2));
    return a2 > 0 && rate2 > 0 ? eta_start / std::sqrt(rate2)
                               : std::numeric_limits<double>::infinity();
}

}  // namespace g6run
