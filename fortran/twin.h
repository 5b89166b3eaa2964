// SPDX-License-Identifier: MIT
// What the Fortran twins share: the macro that defines one, parameter lists, and the reading of
// scalars.  Invariants: see g6_fortran.cpp.
#pragma once

#include "../include/g6lib.h"
#include "../libg6gpu/api/calls.h"

namespace calls = g6::calls;
using g6::kAllId;
using g6::trace::Kind;

namespace {

// A null scalar counts as 0.
inline int value(const int *p)
{
    return p ? *p : 0;
}
inline double value(const double *p)
{
    return p ? *p : 0.0;
}

}  // namespace

// Opens the definition of name_ and makes name__ the same function.
#define TWIN(name, ...)                                                                            \
    G6_API int name##_(__VA_ARGS__);                                                               \
    G6_API int name##__(__VA_ARGS__) __attribute__((alias(#name "_")));                            \
    int name##_(__VA_ARGS__)

// Parameter lists that many calls share.  Fortran's x(3,n) is C's x[n][3].
#define BLOCK_ARGS int *nj, int *ni, int index[], double xi[][3], double vi[][3]
#define BLOCK value(nj), value(ni), index, xi, vi
#define OLD_ARGS double aold[][3], double j6old[][3], double phiold[]
#define OLD aold, j6old, phiold
#define SUM_ARGS double acc[][3], double jerk[][3], double pot[]
#define SUMS acc, jerk, pot
#define PARTICLE_ARGS                                                                              \
    int *address, int *index, double *tj, double *dtj, double *mass, double a2by18[3],             \
        double a1by6[3], double aby2[3], double v[3], double x[3]
#define PARTICLE                                                                                   \
    value(address), value(index), value(tj), value(dtj), value(mass), a2by18, a1by6, aby2, v, x
