// SPDX-License-Identifier: MIT
// Fortran twins of the calls of part 7 of g6lib.h, and those that have a Fortran name only.
#include "twin.h"

#include "../libg6gpu/api/calls.h"

#include <initializer_list>

namespace calls = g6::calls;
using g6::trace::Kind;

namespace {

void write_scales(int address, int acc_scale[], int jerk_scale[], int pot_scale[])
{
    if (address < 0) return;
    for (int *scale : {acc_scale, jerk_scale, pot_scale})
        if (scale) scale[address] = 0;
}

}  // namespace

extern "C" {

#include "../libg6gpu/api/names_2002.h"

CALL(g6_set_j_particle_multisend_mxf, (INT(id), INT(nclusters), POINT_ARGS),
     calls::set_j_point_multisend(value(id), value(nclusters), POINT))
VOID_CALL(g6_set_njp_real, (INT(id), INT(njp)), calls::set_njp(value(id), value(njp)))
CALL(g6_set_i_particle_vector,
     (INT(id), INT(address), INT(ni), int index[], double x[][3], double v[][3], double eps2[],
      double h2[]),
     calls::set_i_particles(value(id), value(address), value(ni), index, x, v, eps2, h2))
CALL(g6calc_lasthalf0a,
     (INT(id), BLOCK_ARGS, double eps2[], double h2[], SUM_ARGS, int nnbindex[], INT(mode)),
     calls::lasthalf(value(id), Kind::kLasthalf0a, {BLOCK0}, {SUMS, nnbindex}))

// The scales of the hardware's fixed-point sums are not kept, since nothing overflows here.
CALL(g6_set_ip_scales, (INT(), INT(), double[3], double[3], REAL(), REAL(), REAL()), G6_OK)
CALL(g6_preset_i_particle_scales_from_real_value,
     (INT(), INT(), double[3], double[3], REAL(), REAL(), REAL()), G6_OK)
VOID_CALL(g6_calc_i_particle_scales_from_real_value,
          (INT(), INT(address), double[3], double[3], REAL(), REAL(), REAL(), int acc_scale[],
           int jerk_scale[], int pot_scale[]),
          write_scales(value(address), acc_scale, jerk_scale, pot_scale))
CALL(g6_copy_i_particle_scales, (INT(), INT(), int[], int[], int[]), G6_OK)
CALL(g6_adjust_ip_scales, (INT(), INT(), INT()), G6_OK)
// The flag 0 is the only one that g6_get_force() writes.
CALL(g6_test_flag, (INT(), INT(flag)), value(flag) ? 1 : 0)

CALL(g6_setfoerrchkmode, (INT(), INT()), G6_OK)
CALL(g6_mccount, (void), calls::mccount())

}  // extern "C"
