// SPDX-License-Identifier: MIT
// The plain g5_* names of gp5util.h; grape5_calls.h says what they call.  They have an object file
// of their own, as the g6 names do (api.cpp).
#include "grape5_calls.h"

#include "../../include/gp5util.h"

namespace calls = g6::grape5;

void g5_open(void)
{
    calls::open();
}
void g5_close(void)
{
    calls::close_all();
}
int g5_get_number_of_pipelines(void)
{
    return calls::kPipes;
}
int g5_get_number_of_pipelines_per_board(void)
{
    return calls::kPipes;
}
int g5_open_special(int n, int *list)
{
    return calls::open_special(n, list);
}
int g5_get_number_of_real_pipelines(void)
{
    return calls::kRealPipes;
}
double g5_get_pcibus_freq(void)
{
    return calls::kBusFrequency;
}
int g5_get_number_of_boards(void)
{
    return 1;
}
int g5_get_firstcluster(void)
{
    return 0;
}
int g5_get_jmemsize(void)
{
    return JMEMSIZE;
}
void g5_set_range(double, double, double) {}
void g5_set_eta(double eta)
{
    calls::set_eta(eta);
}
void g5_set_eps_to_all(double eps)
{
    calls::set_eps_to_all(eps);
}
void g5_set_eps2_to_all(double eps2)
{
    calls::set_eps2_to_all(eps2);
}
void g5_set_n(int n)
{
    calls::set_n(0, n);
}
void g5_set_nMC(int device, int n)
{
    calls::set_n(device, n);
}
void g5_set_xmj(int adr, int nj, double (*x)[3], double *m)
{
    calls::set_masses("g5_set_xmj", 0, adr, nj, x, m);
}
void g5_set_xmjMC(int device, int adr, int nj, double (*x)[3], double *m)
{
    calls::set_masses("g5_set_xmj", device, adr, nj, x, m);
}
void g5_set_jp(int adr, int nj, double *m, double (*x)[3])
{
    calls::set_masses("g5_set_jp", 0, adr, nj, x, m);
}
void g5_set_jpMC(int device, int adr, int nj, double *m, double (*x)[3])
{
    calls::set_masses("g5_set_jp", device, adr, nj, x, m);
}
void g5_set_mj(int adr, int nj, double *m)
{
    calls::set_mass_values("g5_set_mj", 0, adr, nj, m);
}
void g5_set_mjMC(int device, int adr, int nj, double *m)
{
    calls::set_mass_values("g5_set_mj", device, adr, nj, m);
}
void g5_set_xj(int adr, int nj, double (*x)[3])
{
    calls::set_positions("g5_set_xj", 0, adr, nj, x);
}
void g5_set_xjMC(int device, int adr, int nj, double (*x)[3])
{
    calls::set_positions("g5_set_xj", device, adr, nj, x);
}
void g5_set_eps(int ni, double *eps)
{
    calls::set_eps(0, ni, eps);
}
void g5_set_epsMC(int device, int ni, double *eps)
{
    calls::set_eps(device, ni, eps);
}
void g5_set_xi(int ni, double (*x)[3])
{
    calls::set_xi(0, ni, x);
}
void g5_set_xiMC(int device, int ni, double (*x)[3])
{
    calls::set_xi(device, ni, x);
}
void g5_set_xei(int ni, double (*x)[3], double *eps2)
{
    calls::set_xei("g5_set_xei", 0, ni, x, eps2);
}
void g5_set_xeiMC(int device, int ni, double (*x)[3], double *eps2)
{
    calls::set_xei("g5_set_xei", device, ni, x, eps2);
}
void g5_run(void)
{
    calls::run(0);
}
void g5_runMC(int device)
{
    calls::run(device);
}
void g5_get_force(int ni, double (*a)[3], double *p)
{
    calls::get_force(0, ni, a, p);
}
void g5_get_forceMC(int device, int ni, double (*a)[3], double *p)
{
    calls::get_force(device, ni, a, p);
}
void g5_calculate_force_on_x(double (*x)[3], double (*a)[3], double *p, int ni)
{
    calls::calculate_on_x(0, x, a, p, ni);
}
void g5_calculate_force_on_xMC(int device, double (*x)[3], double (*a)[3], double *p, int ni)
{
    calls::calculate_on_x(device, x, a, p, ni);
}
void g5_calculate_force_on_xe(double (*x)[3], double *eps2, double (*a)[3], double *p, int ni)
{
    calls::calculate_on_xe(0, x, eps2, a, p, ni);
}
void g5_calculate_force_on_xeMC(int device, double (*x)[3], double *eps2, double (*a)[3], double *p,
                                int ni)
{
    calls::calculate_on_xe(device, x, eps2, a, p, ni);
}
void g5_set_ip(int ni, double (*x)[3], double *eps, double *)
{
    calls::set_ip(ni, x, eps);
}
void g5_set_xmj0(int adr, int nj, double (*x)[3], double *m, double *epsj2)
{
    calls::set_softened(0, adr, nj, x, m, epsj2);
}
void g5_set_xmjMC0(int device, int adr, int nj, double (*x)[3], double *m, double *epsj2)
{
    calls::set_softened(device, adr, nj, x, m, epsj2);
}
void g5_set_xiMC0(int device, int ni, double (*x)[3], double *eps2)
{
    calls::set_xei("g5_set_xiMC0", device, ni, x, eps2);
}
void g5_runMC0(int device)
{
    calls::run_softened(device);
}
void g5_calculate_force_on_x0(double (*x)[3], double (*a)[3], double *p, int ni, double *eps2)
{
    calls::calculate_softened(0, x, a, p, ni, eps2);
}
void g5_calculate_force_on_xMC0(int device, double (*x)[3], double (*a)[3], double *p, int ni,
                                double *eps2)
{
    calls::calculate_softened(device, x, a, p, ni, eps2);
}
