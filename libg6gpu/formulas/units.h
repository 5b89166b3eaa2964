// SPDX-License-Identifier: MIT
// Converts sums from device units to the caller's units, in C++ and CUDA C++.
// The factors are applied one by one: the product of two factors may overflow although the result
// does not.  No factor is infinite, so that a sum of zero stays zero and does not become NaN.
#ifndef G6_FORMULAS_UNITS_H
#define G6_FORMULAS_UNITS_H

#ifdef __CUDACC__
#define G6_UNITS_FN __host__ __device__ inline
#else
#define G6_UNITS_FN inline
#endif

struct G6Units {
    double length;  // 1 / unit of length
    double rate;    // 1 / unit of time
    double pot;     // unit of the potential, mass over length

    G6_UNITS_FN double acc(double sum) const { return sum * length * pot; }
    G6_UNITS_FN double jerk(double sum) const { return sum * rate * length * pot; }
};

// length, mass, velocity: the factors of struct Scale (libg6gpu/backend.h).
G6_UNITS_FN G6Units g6_units(double length, double mass, double velocity)
{
    const double most = 1.7976931348623157e308, rate = length / velocity, pot = length / mass;
    return {length, rate < most ? rate : most, pot < most ? pot : most};
}

#endif
