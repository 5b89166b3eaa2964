/* SPDX-License-Identifier: MIT
 *
 * From sums in device units to results in the caller's units; written once for C++, CUDA C++ and
 * OpenCL C (there with doubles).
 *
 * A block's units of length and velocity are powers of two between 2^-199 and 2^199.  Its unit of
 * mass is such a power, or a mass from 2^-25 to 2^25 times such a power (particles/store_units.h).
 * With such units each factor here is a normal number, and a result overflows or vanishes only
 * where it is out of the range of double.
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

/* The units of results, in the caller's units. */
typedef struct G6Units {
    double acc, jerk, pot;
    double r2; /* of a distance squared */
} G6Units;

/* The sum of m / r is positive. */
G6_UNITS_FN double g6_result_pot(G6Units u, double sum)
{
    return -(sum * u.pot);
}

#ifndef __OPENCL_C_VERSION__

#include "records.h"

// Acceleration, jerk and potential of a result; the nearest neighbour stays as it is.
G6_UNITS_FN void g6_put_result(G6Sums &out, const G6Units &u, const double acc[3],
                               const double jerk[3], double pot)
{
    for (int c = 0; c < 3; c++) {
        out.acc[c] = acc[c] * u.acc;
        out.jerk[c] = jerk[c] * u.jerk;
    }
    out.pot = g6_result_pot(u, pot);
}

#endif
#endif
