// SPDX-License-Identifier: MIT
// The calls of part 7 of g6lib.h that have a plain C name and a Fortran twin; names.h explains the
// rows.
#include "parameters.h"

// g6_changed_index() names the pipe whose sum overflowed and was computed again; -1: none.  No sum
// overflows here.
CALL(g6_changed_index, (INT()), -1)
CALL(g6_set_j_particle_multisend, (INT(id), INT(nclusters), PARTICLE_ARGS),
     calls::set_j_particle_multisend(value(id), value(nclusters), PARTICLE))
CALL(g6_change_cbjpmode, (INT(), INT()), G6_OK)
CALL(g6_set_simulator_use, (INT()), G6_OK)
CALL(g6_setmccount, (INT(count)), calls::set_mccount(value(count)))
CALL(g6_dump, (REAL(), INT(), double[], double[][3], double[][3]), G6_OK)
CALL(g6_debugfunc, (INT()), G6_OK)
CALL(g6_debugfunc_double, (REAL()), G6_OK)
