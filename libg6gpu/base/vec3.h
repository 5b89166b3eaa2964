// SPDX-License-Identifier: MIT
// Three-vectors as the interface has them: double[3].
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace g6 {

// finite(u): u is neither NaN nor infinite.  The test looks at bits, since arithmetic on a NaN
// would stop a program that traps invalid operations, and a sum of large finite values overflows.
inline std::uint64_t raised_exponent(double u)
{
    constexpr std::uint64_t kExponent = 0x7ff0000000000000u, kLowest = 0x0010000000000000u;
    std::uint64_t bits;
    std::memcpy(&bits, &u, sizeof bits);
    return (bits & kExponent) + kLowest;  // exponent all ones: the carry sets bit 63
}
inline bool finite(double u)
{
    return !(raised_exponent(u) >> 63);
}
inline bool finite3(const double *u)
{
    return !((raised_exponent(u[0]) | raised_exponent(u[1]) | raised_exponent(u[2])) >> 63);
}
inline bool all_finite3(const double *a, const double *b, const double *c, const double *d)
{
    std::uint64_t all = 0;
    for (int k = 0; k < 3; k++)
        all |= raised_exponent(a[k]) | raised_exponent(b[k]) | raised_exponent(c[k]) |
               raised_exponent(d[k]);
    return !(all >> 63);
}

// Whether some component is not zero.  NaN counts as not zero.
inline bool any(const double *u)
{
    std::uint64_t bits[3];
    std::memcpy(bits, u, sizeof bits);
    return ((bits[0] | bits[1] | bits[2]) << 1) != 0;
}

// The largest |component|; all must be finite.
inline double largest(const double *u)
{
    return std::max(std::fabs(u[0]), std::max(std::fabs(u[1]), std::fabs(u[2])));
}

// Copies without a function call: std::copy would call memmove, five times a g6_set_j_particle().
inline void copy3(double *to, const double *from)
{
    const double x = from[0], y = from[1], z = from[2];
    to[0] = x;
    to[1] = y;
    to[2] = z;
}

}  // namespace g6
