/* SPDX-License-Identifier: MIT
 *
 * From sums in device units to results in the caller's units; written once for C++, CUDA C++ and
 * OpenCL C (there with doubles).
 *
 * The factors are applied one by one: the product of two factors may overflow although the result
 * does not.  While the value is below 1 the largest factor that is left comes next, otherwise the
 * smallest, so that no product on the way leaves the range of double unless the result does.  No
 * factor is infinite, so that a sum of zero stays zero and does not become NaN.
 */
#ifndef G6_FORMULAS_UNITS_H
#define G6_FORMULAS_UNITS_H

#if defined(__OPENCL_C_VERSION__)
#define G6_UNITS_FN static inline
#elif defined(__CUDACC__)
#define G6_UNITS_FN __host__ __device__ inline
#else
#define G6_UNITS_FN inline
#endif

typedef struct G6Units {
    double length; /* 1 / unit of length */
    double rate;   /* 1 / unit of time */
    double pot;    /* unit of the potential, mass over length */
    double size;   /* unit of length */
} G6Units;

/* value times a times b: the larger factor first where |value| < 1, else the smaller. */
G6_UNITS_FN double g6_times_two(double value, double a, double b)
{
    const double larger = a > b ? a : b, smaller = a > b ? b : a;
    return value > -1 && value < 1 ? value * larger * smaller : value * smaller * larger;
}

/* The same with three factors. */
G6_UNITS_FN double g6_times_three(double value, double a, double b, double c)
{
    const double larger = a > b ? a : b, smaller = a > b ? b : a, largest = larger > c ? larger : c,
                 smallest = smaller < c ? smaller : c,
                 middle = larger > c ? (smaller > c ? smaller : c) : larger;
    return value > -1 && value < 1 ? g6_times_two(value * largest, middle, smallest)
                                   : g6_times_two(value * smallest, middle, largest);
}

G6_UNITS_FN double g6_result_acc(G6Units u, double sum)
{
    return g6_times_two(sum, u.length, u.pot);
}

G6_UNITS_FN double g6_result_jerk(G6Units u, double sum)
{
    return g6_times_three(sum, u.rate, u.length, u.pot);
}

/* The sum of m / r is positive. */
G6_UNITS_FN double g6_result_pot(G6Units u, double sum)
{
    return -(sum * u.pot);
}

G6_UNITS_FN double g6_result_r2(G6Units u, double r2)
{
    return r2 * u.size * u.size;
}

#ifndef __OPENCL_C_VERSION__

#include "records.h"

// length, mass, velocity: the factors of struct Scale (libg6gpu/backend.h).
G6_UNITS_FN G6Units g6_units(double length, double mass, double velocity)
{
    const double most = 1.7976931348623157e308, rate = length / velocity, pot = length / mass;
    return {length, rate < most ? rate : most, pot < most ? pot : most, 1 / length};
}

// Acceleration, jerk and potential of a result; the nearest neighbour stays as it is.
G6_UNITS_FN void g6_put_result(G6Sums &out, const G6Units &u, const double acc[3],
                               const double jerk[3], double pot)
{
    for (int c = 0; c < 3; c++) {
        out.acc[c] = g6_result_acc(u, acc[c]);
        out.jerk[c] = g6_result_jerk(u, jerk[c]);
    }
    out.pot = g6_result_pot(u, pot);
}

#endif
#endif
