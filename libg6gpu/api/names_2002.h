// SPDX-License-Identifier: MIT
// The calls of part 7 of g6lib.h that have a plain C name and a Fortran twin; names.h explains the
// rows.
#include "parameters.h"

CALL(g6_changed_index, (INT()), calls::changed_index())
CALL(g6_set_j_particle_multisend, (INT(id), INT(nclusters), PARTICLE_ARGS),
     calls::set_j_particle_multisend(value(id), value(nclusters), PARTICLE))
CALL(g6_change_cbjpmode, (INT(), INT()), G6_OK)
CALL(g6_set_simulator_use, (INT()), G6_OK)
CALL(g6_setmccount, (INT(count)), calls::set_mccount(value(count)))
CALL(g6_dump, (REAL(t), INT(n), double mass[], double x[][3], double v[][3]),
     calls::dump(value(t), value(n), mass, x, v))
CALL(g6_debugfunc, (INT(number)), calls::add_to_dump(value(number)))
CALL(g6_debugfunc_double, (REAL(number)), calls::add_to_dump(value(number)))
