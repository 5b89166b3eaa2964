// SPDX-License-Identifier: MIT
// The plain names of part 7 of g6lib.h; calls.h says what they call.  They have an object file of
// their own, as those in api.cpp.
#include "calls.h"

#include "../../include/g6lib.h"

namespace calls = g6::calls;

int g6_changed_index(int)
{
    return calls::changed_index();
}
int g6_set_j_particle_multisend(int id, int nclusters, int address, int index, double tj,
                                double dtj, double mass, double a2by18[3], double a1by6[3],
                                double aby2[3], double v[3], double x[3])
{
    return calls::set_j_particle_multisend(id, nclusters, address, index, tj, dtj, mass, a2by18,
                                           a1by6, aby2, v, x);
}
int g6_preset_i_particle_scales_from_real_value(int, int, double[3], double[3], double *)
{
    return G6_OK;
}
int g6_change_cbjpmode(int, int)
{
    return G6_OK;
}
int g6_set_simulator_use(int)
{
    return G6_OK;
}
int g6_setmccount(int count)
{
    calls::set_mccount(count);
    return G6_OK;
}
int g6_dump(double t, int n, double mass[], double x[][3], double v[][3])
{
    return calls::dump(t, n, mass, x, v);
}
int g6_debugfunc(int number)
{
    return calls::add_to_dump(number);
}
int g6_debugfunc_double(double number)
{
    return calls::add_to_dump(number);
}
