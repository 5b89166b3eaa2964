// SPDX-License-Identifier: MIT
// Parameter lists that many calls share, and their values.  INT, REAL and value() are as names.h
// says.  Fortran's x(3,n) is C's x[n][3].
#pragma once

// Several values as one argument of a macro.
#define LIST(...) __VA_ARGS__

#define BLOCK_ARGS INT(nj), INT(ni), int index[], double xi[][3], double vi[][3]
#define BLOCK value(nj), value(ni), index, xi, vi
#define OLD_ARGS double aold[][3], double j6old[][3], double phiold[]
#define OLD aold, j6old, phiold
#define SUM_ARGS double acc[][3], double jerk[][3], double pot[]
#define SUMS acc, jerk, pot
#define PARTICLE_ARGS                                                                              \
    INT(address), INT(index), REAL(tj), REAL(dtj), REAL(mass), double a2by18[3], double a1by6[3],  \
        double aby2[3], double v[3], double x[3]
#define PARTICLE                                                                                   \
    value(address), value(index), value(tj), value(dtj), value(mass), a2by18, a1by6, aby2, v, x
#define POINT_ARGS INT(address), INT(index), REAL(mass), double x[3]
#define POINT value(address), value(index), value(mass), x
#define SLOT_ARGS INT(adr), INT(nj)
#define SLOTS value(adr), value(nj)
