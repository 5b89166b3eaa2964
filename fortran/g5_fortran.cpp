// SPDX-License-Identifier: MIT
// Fortran twins of the g5 calls (gp5util.h), with the invariants of g6_fortran.cpp.  A compiler
// writes g5_runMC as g5_runmc_; Phantom-GRAPE calls its twin g5_runMC_.
#include "twin.h"

#include "../include/gp5util.h"
#include "../libg6gpu/api/grape5_calls.h"

namespace g5 = g6::grape5;

// As TWIN_MC, of a form with a softening of each j-particle.
#define TWIN_MC0(name, ...)                                                                        \
    G6_API int name##MC0_(__VA_ARGS__) __attribute__((alias(#name "mc0_")));                       \
    G6_API int name##MC0__(__VA_ARGS__) __attribute__((alias(#name "mc0_")));                      \
    TWIN(name##mc0, __VA_ARGS__)
// As TWIN, also under the name with MC in capitals.
#define TWIN_MC(name, ...)                                                                         \
    G6_API int name##MC_(__VA_ARGS__) __attribute__((alias(#name "mc_")));                         \
    G6_API int name##MC__(__VA_ARGS__) __attribute__((alias(#name "mc_")));                        \
    TWIN(name##mc, __VA_ARGS__)

extern "C" {

TWIN(g5_open, void)
{
    return g5::open(), G6_OK;
}
TWIN(g5_close, void)
{
    return g5::close_all(), G6_OK;
}
TWIN(g5_get_number_of_pipelines, void)
{
    return g5::kPipes;
}
TWIN(g5_get_number_of_pipelines_per_board, void)
{
    return g5::kPipes;
}
TWIN(g5_get_number_of_boards, void)
{
    return 1;
}
TWIN(g5_get_firstcluster, void)
{
    return 0;
}
TWIN(g5_get_jmemsize, void)
{
    return JMEMSIZE;
}
TWIN(g5_set_range, double *, double *, double *)
{
    return G6_OK;
}
TWIN(g5_set_eta, double *eta)
{
    return g5::set_eta(value(eta)), G6_OK;
}
TWIN(g5_set_eps_to_all, double *eps)
{
    return g5::set_eps_to_all(value(eps)), G6_OK;
}
TWIN(g5_set_eps2_to_all, double *eps2)
{
    return g5::set_eps2_to_all(value(eps2)), G6_OK;
}
TWIN(g5_set_n, int *n)
{
    return g5::set_n(0, value(n)), G6_OK;
}
TWIN_MC(g5_set_n, int *device, int *n)
{
    return g5::set_n(value(device), value(n)), G6_OK;
}
TWIN(g5_set_xmj, int *adr, int *nj, double (*x)[3], double *m)
{
    return g5::set_masses("g5_set_xmj", 0, value(adr), value(nj), x, m), G6_OK;
}
TWIN_MC(g5_set_xmj, int *device, int *adr, int *nj, double (*x)[3], double *m)
{
    return g5::set_masses("g5_set_xmj", value(device), value(adr), value(nj), x, m), G6_OK;
}
TWIN(g5_set_jp, int *adr, int *nj, double *m, double (*x)[3])
{
    return g5::set_masses("g5_set_jp", 0, value(adr), value(nj), x, m), G6_OK;
}
TWIN_MC(g5_set_jp, int *device, int *adr, int *nj, double *m, double (*x)[3])
{
    return g5::set_masses("g5_set_jp", value(device), value(adr), value(nj), x, m), G6_OK;
}
TWIN(g5_set_mj, int *adr, int *nj, double *m)
{
    return g5::set_mass_values("g5_set_mj", 0, value(adr), value(nj), m), G6_OK;
}
TWIN_MC(g5_set_mj, int *device, int *adr, int *nj, double *m)
{
    return g5::set_mass_values("g5_set_mj", value(device), value(adr), value(nj), m), G6_OK;
}
TWIN(g5_set_xj, int *adr, int *nj, double (*x)[3])
{
    return g5::set_positions("g5_set_xj", 0, value(adr), value(nj), x), G6_OK;
}
TWIN_MC(g5_set_xj, int *device, int *adr, int *nj, double (*x)[3])
{
    return g5::set_positions("g5_set_xj", value(device), value(adr), value(nj), x), G6_OK;
}
TWIN(g5_set_eps, int *ni, double *eps)
{
    return g5::set_eps(0, value(ni), eps), G6_OK;
}
TWIN_MC(g5_set_eps, int *device, int *ni, double *eps)
{
    return g5::set_eps(value(device), value(ni), eps), G6_OK;
}
TWIN(g5_set_xi, int *ni, double (*x)[3])
{
    return g5::set_xi(0, value(ni), x), G6_OK;
}
TWIN_MC(g5_set_xi, int *device, int *ni, double (*x)[3])
{
    return g5::set_xi(value(device), value(ni), x), G6_OK;
}
TWIN(g5_set_xei, int *ni, double (*x)[3], double *eps2)
{
    return g5::set_xei("g5_set_xei", 0, value(ni), x, eps2), G6_OK;
}
TWIN_MC(g5_set_xei, int *device, int *ni, double (*x)[3], double *eps2)
{
    return g5::set_xei("g5_set_xei", value(device), value(ni), x, eps2), G6_OK;
}
TWIN(g5_run, void)
{
    return g5::run(0), G6_OK;
}
TWIN_MC(g5_run, int *device)
{
    return g5::run(value(device)), G6_OK;
}
TWIN(g5_get_force, int *ni, double (*a)[3], double *p)
{
    return g5::get_force(0, value(ni), a, p), G6_OK;
}
TWIN_MC(g5_get_force, int *device, int *ni, double (*a)[3], double *p)
{
    return g5::get_force(value(device), value(ni), a, p), G6_OK;
}
TWIN(g5_calculate_force_on_x, double (*x)[3], double (*a)[3], double *p, int *ni)
{
    return g5::calculate_on_x(0, x, a, p, value(ni)), G6_OK;
}
TWIN_MC(g5_calculate_force_on_x, int *device, double (*x)[3], double (*a)[3], double *p, int *ni)
{
    return g5::calculate_on_x(value(device), x, a, p, value(ni)), G6_OK;
}
TWIN(g5_calculate_force_on_xe, double (*x)[3], double *eps2, double (*a)[3], double *p, int *ni)
{
    return g5::calculate_on_xe(0, x, eps2, a, p, value(ni)), G6_OK;
}
TWIN_MC(g5_calculate_force_on_xe, int *device, double (*x)[3], double *eps2, double (*a)[3],
        double *p, int *ni)
{
    return g5::calculate_on_xe(value(device), x, eps2, a, p, value(ni)), G6_OK;
}

TWIN(g5_open_special, int *n, int *list)
{
    return g5::open_special(value(n), list);
}
TWIN(g5_get_number_of_real_pipelines, void)
{
    return g5::kRealPipes;
}
G6_API double g5_get_pcibus_freq_(void);
G6_API double g5_get_pcibus_freq__(void) __attribute__((alias("g5_get_pcibus_freq_")));
double g5_get_pcibus_freq_(void)
{
    return g5::kBusFrequency;
}
TWIN(g5_set_ip, int *ni, double (*x)[3], double *eps, double *)
{
    return g5::set_ip(value(ni), x, eps), G6_OK;
}
TWIN(g5_set_xmj0, int *adr, int *nj, double (*x)[3], double *m, double *epsj2)
{
    return g5::set_softened(0, value(adr), value(nj), x, m, epsj2), G6_OK;
}
TWIN_MC0(g5_set_xmj, int *device, int *adr, int *nj, double (*x)[3], double *m, double *epsj2)
{
    return g5::set_softened(value(device), value(adr), value(nj), x, m, epsj2), G6_OK;
}
TWIN_MC0(g5_set_xi, int *device, int *ni, double (*x)[3], double *eps2)
{
    return g5::set_xei("g5_set_xiMC0", value(device), value(ni), x, eps2), G6_OK;
}
TWIN_MC0(g5_run, int *device)
{
    return g5::run_softened(value(device)), G6_OK;
}
TWIN(g5_calculate_force_on_x0, double (*x)[3], double (*a)[3], double *p, int *ni, double *eps2)
{
    return g5::calculate_softened(0, x, a, p, value(ni), eps2), G6_OK;
}
TWIN_MC0(g5_calculate_force_on_x, int *device, double (*x)[3], double (*a)[3], double *p, int *ni,
         double *eps2)
{
    return g5::calculate_softened(value(device), x, a, p, value(ni), eps2), G6_OK;
}

}  // extern "C"
