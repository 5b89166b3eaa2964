// SPDX-License-Identifier: MIT
// Fortran forms of part 7 of g6lib.h: calls that only GRAPE-6's host library of 2002 and
// Phantom-GRAPE have.  The same invariants as in g6_fortran.cpp.
#include "twin.h"

extern "C" {

TWIN(g6_changed_index, int *)
{
    return calls::changed_index();
}

TWIN(g6_set_j_particle_multisend, int *id, int *nclusters, PARTICLE_ARGS)
{
    return calls::set_j_particle_multisend(value(id), value(nclusters), PARTICLE);
}
TWIN(g6_set_j_particle_multisend_mxf, int *id, int *nclusters, int *address, int *index,
     double *mass, double x[3])
{
    return calls::set_j_point_multisend(value(id), value(nclusters), value(address), value(index),
                                        value(mass), x);
}

TWIN(g6_set_njp_real, int *id, int *njp)
{
    calls::set_njp(value(id), value(njp));
    return G6_OK;
}
TWIN(g6_set_i_particle_vector, int *id, int *address, int *ni, int index[], double x[][3],
     double v[][3], double eps2[], double h2[])
{
    return calls::set_i_particles(value(id), value(address), value(ni), index, x, v, eps2, h2);
}
TWIN(g6calc_lasthalf0a, int *id, BLOCK_ARGS, double eps2[], double h2[], SUM_ARGS, int nnbindex[],
     int *mode)
{
    return calls::lasthalf0a(value(id), BLOCK, eps2, h2, SUMS, nnbindex, value(mode));
}

// The scales of the fixed-point sums: nothing overflows here, so nothing is kept.
TWIN(g6_set_ip_scales, int *, int *, double[3], double[3], double *, double *, double *)
{
    return G6_OK;
}
TWIN(g6_preset_i_particle_scales_from_real_value, int *, int *, double[3], double[3], double *,
     double *, double *)
{
    return G6_OK;
}
TWIN(g6_calc_i_particle_scales_from_real_value, int *, int *address, double[3], double[3], double *,
     double *, double *, int acc_scale[], int jerk_scale[], int pot_scale[])
{
    calls::write_scales(value(address), acc_scale, jerk_scale, pot_scale);
    return G6_OK;
}
TWIN(g6_copy_i_particle_scales, int *, int *, int[], int[], int[])
{
    return G6_OK;
}
TWIN(g6_adjust_ip_scales, int *, int *, int *)
{
    return G6_OK;
}
TWIN(g6_test_flag, int *, int *flag)
{
    return calls::test_flag(value(flag));
}

// Modes of the boards.
TWIN(g6_setfoerrchkmode, int *, int *)
{
    return G6_OK;
}
TWIN(g6_change_cbjpmode, int *, int *)
{
    return G6_OK;
}
TWIN(g6_set_simulator_use, int *)
{
    return G6_OK;
}
TWIN(g6_setmccount, int *count)
{
    calls::set_mccount(value(count));
    return G6_OK;
}
TWIN(g6_mccount, void)
{
    return calls::mccount();
}

TWIN(g6_dump, double *t, int *n, double mass[], double x[][3], double v[][3])
{
    return calls::dump(value(t), value(n), mass, x, v);
}
TWIN(g6_debugfunc, int *number)
{
    return calls::add_to_dump(value(number));
}
TWIN(g6_debugfunc_double, double *number)
{
    return calls::add_to_dump(value(number));
}

}  // extern "C"
