// SPDX-License-Identifier: MIT
// Parameter lists that many calls share, and their values.  INT, REAL and value() are as names.h
// says.  Fortran's x(3,n) is C's x[n][3].
#pragma once

// Several values as one argument of a macro.
#define LIST(...) __VA_ARGS__

#define BLOCK_ARGS INT(nj), INT(ni), int index[], double xi[][3], double vi[][3]
// The arguments of a block.  BLOCK is for calls with one eps2.  BLOCK0 is for calls with the mode
// of part 4 of g6lib.h, whose bit 0 tells that eps2 has one element.
#define BLOCK value(nj), value(ni), index, xi, vi, pointer(eps2), 0, h2
#define BLOCK0 value(nj), value(ni), index, xi, vi, eps2, value(mode) & 1 ? 0 : 1, h2
#define OLD_ARGS double aold[][3], double[][3], double[]
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
