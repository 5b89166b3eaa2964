// SPDX-License-Identifier: MIT
// From device units to the caller's, for C++ and CUDA C++.  The factors are applied one by one, and
// none of them is infinite: their product may leave the range of double where the result does not,
// and a sum of zero must stay zero.
#ifndef G6_COMMON_UNITS_H
#define G6_COMMON_UNITS_H

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

// The arguments are the factors of struct Scale.
G6_UNITS_FN G6Units g6_units(double length, double mass, double velocity)
{
    const double most = 1.7976931348623157e308, rate = length / velocity, pot = length / mass;
    return {length, rate < most ? rate : most, pot < most ? pot : most};
}

#endif
