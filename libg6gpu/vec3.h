// SPDX-License-Identifier: MIT
// Three-vectors as the interface has them: double[3].
#pragma once

#include <cmath>

namespace g6 {

// NaN and infinities make the product NaN; no branch per value.
inline bool finite3(const double *u)
{
    return (u[0] + u[1] + u[2]) * 0.0 == 0.0;
}
inline bool all_finite3(const double *a, const double *b, const double *c, const double *d)
{
    const double sum =
        (a[0] + a[1] + a[2]) + (b[0] + b[1] + b[2]) + (c[0] + c[1] + c[2]) + (d[0] + d[1] + d[2]);
    return sum * 0.0 == 0.0;
}

// Whether some component is not zero, or NaN.
inline bool any(const double *u)
{
    return !(std::fabs(u[0]) + std::fabs(u[1]) + std::fabs(u[2]) <= 0);
}

// std::copy becomes a call of memmove, five of them in each g6_set_j_particle.
inline void copy3(double *to, const double *from)
{
    const double x = from[0], y = from[1], z = from[2];
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

}  // namespace g6
