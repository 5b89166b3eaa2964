// SPDX-License-Identifier: MIT
// The plain g6_* names of parts 1 to 4 of g6lib.h; calls.h says what they call.  They have an
// object file of their own, so that the static archive can be linked with an application that
// defines these names itself.
#include "calls.h"

#include "../../include/g6lib.h"

namespace calls = g6::calls;
using g6::kAllId;
using g6::trace::Kind;

int g6_open(int id)
{
    return calls::open(id);
}
int g6_close(int id)
{
    return calls::close(id);
}
int g6_npipes(void)
{
    return calls::npipes();
}
int g6_get_number_of_pipelines(void)
{
    return calls::npipes();
}
int g6_reset(int id)
{
    return calls::reset(id);
}
int g6_reset_fofpga(int id)
{
    return calls::reset(id);
}
int g6_reinitialize(int id)
{
    return calls::reinitialize(id);
}
int g6_set_tunit(int)
{
    return calls::hardware_only(Kind::kSetTunit, 0);
}
int g6_set_xunit(int)
{
    return calls::hardware_only(Kind::kSetXunit, 0);
}
int g6_set_ti(int id, double ti)
{
    return calls::set_ti(id, ti);
}
int g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                      double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3])
{
    return calls::set_j_particle(id, address, index, tj, dtj, mass, a2by18, a1by6, aby2, v, x);
}
void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double aold[][3], double j6old[][3], double phiold[], double eps2,
                      double h2[])
{
    calls::firsthalf(id, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2);
}
int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                    double eps2, double h2[], double acc[][3], double jerk[][3], double pot[])
{
    return calls::lasthalf(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot);
}
int g6calc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                     int nnbindex[])
{
    return calls::lasthalf2(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex);
}
int g6_read_neighbour_list(int id)
{
    return calls::read_neighbour_list(id);
}
int g6_read_neighbour_list_old(int id)
{
    return calls::read_neighbour_list(id);
}
int g6_get_neighbour_list(int id, int ipipe, int maxlength, int *nblen, int nbl[])
{
    return calls::get_neighbour_list(id, ipipe, maxlength, nblen, nbl);
}
int g6_set_neighbour_list_sort_mode(int mode)
{
    return calls::set_neighbour_list_sort_mode(mode);
}
int g6_get_neighbour_list_sort_mode(void)
{
    return calls::get_neighbour_list_sort_mode();
}
int g6_initialize_jp_buffer(int id, int)
{
    return calls::hardware_only(Kind::kInitBuffer, id);
}
int g6_flush_jp_buffer(int id)
{
    return calls::hardware_only(Kind::kFlushBuffer, id);
}
int g6_setup_njdata(int id, int nj)
{
    return calls::setup_njdata(id, nj);
}
int g6_set_overflow_flag_test_mode(int, int, int)
{
    return calls::hardware_only(Kind::kOverflowMode, 0);
}
int g6_print_chip_status(int id)
{
    return calls::print_chip_status(id);
}
int g6_set_j_particle_mxonly(int id, int address, int index, double mass, double x[3])
{
    return calls::set_j_particle_mxonly(id, address, index, mass, x);
}
int g6_flush_jp_buffer_and_multisend(int id, int)
{
    return calls::hardware_only(Kind::kFlushMulti, id);
}
int g6calc_lasthalfn(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[])
{
    return calls::lasthalf(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot);
}
int g6calc_lasthalf2n(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                      int nnbindex[])
{
    return calls::lasthalf2(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex);
}
int g6calc_lasthalf2p(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                      int nnbindex[], float rnnb[])
{
    return calls::lasthalf2p(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex, rnnb);
}
int g6calc_lasthalf2np(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                       double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                       int nnbindex[], float rnnb[])
{
    return calls::lasthalf2p(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex, rnnb);
}
void g6calc_firsthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                       double aold[][3], double j6old[][3], double phiold[], double *eps2,
                       double h2[], int mode)
{
    calls::firsthalf0(id, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2, mode);
}
int g6calc_lasthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                     int mode)
{
    return calls::lasthalf0(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, mode);
}
void g6_set_nip(int id, int nip)
{
    calls::set_nip(id, nip);
}
void g6_set_njp(int id, int njp)
{
    calls::set_njp(id, njp);
}
void g6_set_i_particle_scales_from_real_value(int, int, double[3], double[3], double, double,
                                              double)
{
}
void g6_set_i_particle(int id, int address, int index, double x[3], double v[3], double eps2,
                       double h2)
{
    calls::set_i_particle(id, address, index, x, v, eps2, h2);
}
int g6_get_force(int id, double acc[][3], double jerk[][3], double phi[], int flag[])
{
    return calls::get_force(id, acc, jerk, phi, nullptr, flag);
}
int g6_get_force_etc(int id, double acc[][3], double jerk[][3], double phi[], int nnbindex[],
                     int flag[])
{
    return calls::get_force(id, acc, jerk, phi, nnbindex, flag);
}
int g6_get_predicted_j_particles(int id, int nj, double x[][3], double v[][3])
{
    return calls::predict(id, nj, x, v);
}
int g6_getnjmax(int id)
{
    return calls::njmax(id);
}
int g6_open_all(void)
{
    return calls::open_all();
}
int g6_close_all(void)
{
    return calls::close_all();
}
int g6_set_ti_all(double ti)
{
    return calls::set_ti(kAllId, ti);
}
int g6_set_j_particle_all(int address, int index, double tj, double dtj, double mass,
                          double a2by18[3], double a1by6[3], double aby2[3], double v[3],
                          double x[3])
{
    return calls::set_j_particle(kAllId, address, index, tj, dtj, mass, a2by18, a1by6, aby2, v, x);
}
int g6_set_j_particle_mxonly_all(int address, int index, double mass, double x[3])
{
    return calls::set_j_particle_mxonly(kAllId, address, index, mass, x);
}
void g6calc_firsthalf_all(int nj, int ni, int index[], double xi[][3], double vi[][3],
                          double aold[][3], double j6old[][3], double phiold[], double eps2,
                          double h2[])
{
    calls::firsthalf(kAllId, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2);
}
void g6calc_firsthalf0_all(int nj, int ni, int index[], double xi[][3], double vi[][3],
                           double aold[][3], double j6old[][3], double phiold[], double *eps2,
                           double h2[], int mode)
{
    calls::firsthalf0(kAllId, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2, mode);
}
int g6calc_lasthalf_all(int nj, int ni, int index[], double xi[][3], double vi[][3], double eps2,
                        double h2[], double acc[][3], double jerk[][3], double pot[])
{
    return calls::lasthalf(kAllId, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot);
}
int g6calc_lasthalf0_all(int nj, int ni, int index[], double xi[][3], double vi[][3], double *eps2,
                         double h2[], double acc[][3], double jerk[][3], double pot[], int mode)
{
    return calls::lasthalf0(kAllId, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, mode);
}
int g6calc_lasthalf2_all(int nj, int ni, int index[], double xi[][3], double vi[][3], double eps2,
                         double h2[], double acc[][3], double jerk[][3], double pot[],
                         int nnbindex[])
{
    return calls::lasthalf2(kAllId, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex);
}
int g6_read_neighbour_list_all(void)
{
    return calls::read_neighbour_list(kAllId);
}
int g6_get_neighbour_list_all(int ipipe, int maxlength, int *nblen, int nbl[])
{
    return calls::get_neighbour_list(kAllId, ipipe, maxlength, nblen, nbl);
}
void g6_set_nip_all(int nip)
{
    calls::set_nip(kAllId, nip);
}
void g6_set_njp_all(int njp)
{
    calls::set_njp(kAllId, njp);
}
void g6_set_i_particle_scales_from_real_value_all(int, double[3], double[3], double, double, double)
{
}
void g6_set_i_particle_all(int address, int index, double x[3], double v[3], double eps2, double h2)
{
    calls::set_i_particle(kAllId, address, index, x, v, eps2, h2);
}
int g6_get_force_all(double acc[][3], double jerk[][3], double phi[], int flag[])
{
    return calls::get_force(kAllId, acc, jerk, phi, nullptr, flag);
}
int g6_get_force_etc_all(double acc[][3], double jerk[][3], double phi[], int nnbindex[],
                         int flag[])
{
    return calls::get_force(kAllId, acc, jerk, phi, nnbindex, flag);
}
int g6_get_predicted_j_particles_all(int nj, double x[][3], double v[][3])
{
    return calls::predict(kAllId, nj, x, v);
}
int g6_getnjmax_all(void)
{
    return calls::njmax(kAllId);
}
