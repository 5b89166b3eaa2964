// SPDX-License-Identifier: MIT
// Fortran twins: for each g6_x of parts 1 to 4 of g6lib.h, g6_x_ with every scalar by pointer, and
// its alias g6_x__ for g77, which appends two underscores to a name that contains one.
//
// Invariants
//  * No twin calls an exported name: applications define the plain names themselves and forward
//    them to the twins.  Twins and plain names both call the functions of libg6gpu/api/calls.h.
//  * The twins have an object file of their own: an application that defines the plain names takes
//    only this object from the static archive.
//  * Every twin returns an int, also where the plain call is void: a caller that declared a
//    subroutine ignores it.
//  * A null scalar counts as 0: some callers pass 0 for the cluster id.
#include "twin.h"

#include <cstdint>

namespace {

// The sort mode is an int by pointer in most sources, by value in some.  No object lives in the
// first page, so a small number there is a value.
int value_or_small_int(const int *p)
{
    const auto bits = reinterpret_cast<std::uintptr_t>(p);
    return bits < 4096 ? static_cast<int>(bits) : *p;
}

}  // namespace

extern "C" {

// ---- 1. the GRAPE-6 calls ----

TWIN(g6_open, int *id)
{
    return calls::open(value(id));
}
TWIN(g6_close, int *id)
{
    return calls::close(value(id));
}
TWIN(g6_npipes, void)
{
    return calls::npipes();
}
TWIN(g6_get_number_of_pipelines, void)
{
    return calls::npipes();
}
TWIN(g6_reset, int *id)
{
    return calls::reset(value(id));
}
TWIN(g6_reset_fofpga, int *id)
{
    return calls::reset(value(id));
}
TWIN(g6_reinitialize, int *id)
{
    return calls::reinitialize(value(id));
}

// Units, buffer sizes and overflow flags are int *, double * or int, by source: never read.
TWIN(g6_set_tunit, void *)
{
    return calls::hardware_only(Kind::kSetTunit, 0);
}
TWIN(g6_set_xunit, void *)
{
    return calls::hardware_only(Kind::kSetXunit, 0);
}
TWIN(g6_initialize_jp_buffer, int *id, void *)
{
    return calls::hardware_only(Kind::kInitBuffer, value(id));
}
TWIN(g6_flush_jp_buffer, int *id)
{
    return calls::hardware_only(Kind::kFlushBuffer, value(id));
}
TWIN(g6_set_overflow_flag_test_mode, void *, void *, void *)
{
    return calls::hardware_only(Kind::kOverflowMode, 0);
}

TWIN(g6_set_ti, int *id, double *ti)
{
    return calls::set_ti(value(id), value(ti));
}
TWIN(g6_set_j_particle, int *id, PARTICLE_ARGS)
{
    return calls::set_j_particle(value(id), PARTICLE);
}
TWIN(g6calc_firsthalf, int *id, BLOCK_ARGS, OLD_ARGS, double *eps2, double h2[])
{
    calls::firsthalf(value(id), BLOCK, OLD, value(eps2), h2);
    return G6_OK;
}
TWIN(g6calc_lasthalf, int *id, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS)
{
    return calls::lasthalf(value(id), BLOCK, value(eps2), h2, SUMS);
}
TWIN(g6calc_lasthalf2, int *id, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS, int nnbindex[])
{
    return calls::lasthalf2(value(id), BLOCK, value(eps2), h2, SUMS, nnbindex);
}

TWIN(g6_read_neighbour_list, int *id)
{
    return calls::read_neighbour_list(value(id));
}
TWIN(g6_read_neighbour_list_old, int *id)
{
    return calls::read_neighbour_list(value(id));
}
TWIN(g6_get_neighbour_list, int *id, int *ipipe, int *maxlength, int *nblen, int nbl[])
{
    return calls::get_neighbour_list(value(id), value(ipipe), value(maxlength), nblen, nbl);
}
TWIN(g6_set_neighbour_list_sort_mode, int *mode)
{
    return calls::set_neighbour_list_sort_mode(value_or_small_int(mode));
}
TWIN(g6_get_neighbour_list_sort_mode, void)
{
    return calls::get_neighbour_list_sort_mode();
}

TWIN(g6_setup_njdata, int *id, int *nj)
{
    return calls::setup_njdata(value(id), value(nj));
}
TWIN(g6_print_chip_status, int *id)
{
    return calls::print_chip_status(value(id));
}

// ---- 2. calls of the GRAPE treecodes ----

TWIN(g6_set_j_particle_mxonly, int *id, int *address, int *index, double *mass, double x[3])
{
    return calls::set_j_particle_mxonly(value(id), value(address), value(index), value(mass), x);
}
TWIN(g6_set_j_particle_multisend_mxfast, int *id, int *nclusters, int *address, int *index,
     double *mass, double x[3])
{
    return calls::set_j_point_multisend(value(id), value(nclusters), value(address), value(index),
                                        value(mass), x);
}
TWIN(g6_flush_jp_buffer_and_multisend, int *id, int *)
{
    return calls::hardware_only(Kind::kFlushMulti, value(id));
}

// ---- 3. Phantom-GRAPE's forms of lasthalf: lists are always at hand, so n adds nothing ----

TWIN(g6calc_lasthalfn, int *id, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS)
{
    return calls::lasthalf(value(id), BLOCK, value(eps2), h2, SUMS);
}
TWIN(g6calc_lasthalf2n, int *id, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS, int nnbindex[])
{
    return calls::lasthalf2(value(id), BLOCK, value(eps2), h2, SUMS, nnbindex);
}
TWIN(g6calc_lasthalf2p, int *id, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS, int nnbindex[],
     float rnnb[])
{
    return calls::lasthalf2p(value(id), BLOCK, value(eps2), h2, SUMS, nnbindex, rnnb);
}
TWIN(g6calc_lasthalf2np, int *id, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS, int nnbindex[],
     float rnnb[])
{
    return calls::lasthalf2p(value(id), BLOCK, value(eps2), h2, SUMS, nnbindex, rnnb);
}

// ---- 4. calls of the K&F library ----

TWIN(g6calc_firsthalf0, int *id, BLOCK_ARGS, OLD_ARGS, double eps2[], double h2[], int *mode)
{
    calls::firsthalf0(value(id), BLOCK, OLD, eps2, h2, value(mode));
    return G6_OK;
}
TWIN(g6calc_lasthalf0, int *id, BLOCK_ARGS, double eps2[], double h2[], SUM_ARGS, int *mode)
{
    return calls::lasthalf0(value(id), BLOCK, eps2, h2, SUMS, value(mode));
}
TWIN(g6_set_nip, int *id, int *nip)
{
    calls::set_nip(value(id), value(nip));
    return G6_OK;
}
TWIN(g6_set_njp, int *id, int *njp)
{
    calls::set_njp(value(id), value(njp));
    return G6_OK;
}
TWIN(g6_set_i_particle_scales_from_real_value, int *, int *, double[3], double[3], double *,
     double *, double *)
{
    return G6_OK;
}
TWIN(g6_set_i_particle, int *id, int *address, int *index, double x[3], double v[3], double *eps2,
     double *h2)
{
    calls::set_i_particle(value(id), value(address), value(index), x, v, value(eps2), value(h2));
    return G6_OK;
}
TWIN(g6_get_force, int *id, SUM_ARGS, int flag[])
{
    return calls::get_force(value(id), SUMS, nullptr, flag);
}
TWIN(g6_get_force_etc, int *id, SUM_ARGS, int nnbindex[], int flag[])
{
    return calls::get_force(value(id), SUMS, nnbindex, flag);
}
TWIN(g6_get_predicted_j_particles, int *id, int *nj, double x[][3], double v[][3])
{
    return calls::predict(value(id), value(nj), x, v);
}
TWIN(g6_getnjmax, int *id)
{
    return calls::njmax(value(id));
}

// ---- the forms without id ----

TWIN(g6_open_all, void)
{
    return calls::open_all();
}
TWIN(g6_close_all, void)
{
    return calls::close_all();
}
TWIN(g6_set_ti_all, double *ti)
{
    return calls::set_ti(kAllId, value(ti));
}
TWIN(g6_set_j_particle_all, PARTICLE_ARGS)
{
    return calls::set_j_particle(kAllId, PARTICLE);
}
TWIN(g6_set_j_particle_mxonly_all, int *address, int *index, double *mass, double x[3])
{
    return calls::set_j_particle_mxonly(kAllId, value(address), value(index), value(mass), x);
}
TWIN(g6calc_firsthalf_all, BLOCK_ARGS, OLD_ARGS, double *eps2, double h2[])
{
    calls::firsthalf(kAllId, BLOCK, OLD, value(eps2), h2);
    return G6_OK;
}
TWIN(g6calc_firsthalf0_all, BLOCK_ARGS, OLD_ARGS, double eps2[], double h2[], int *mode)
{
    calls::firsthalf0(kAllId, BLOCK, OLD, eps2, h2, value(mode));
    return G6_OK;
}
TWIN(g6calc_lasthalf_all, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS)
{
    return calls::lasthalf(kAllId, BLOCK, value(eps2), h2, SUMS);
}
TWIN(g6calc_lasthalf0_all, BLOCK_ARGS, double eps2[], double h2[], SUM_ARGS, int *mode)
{
    return calls::lasthalf0(kAllId, BLOCK, eps2, h2, SUMS, value(mode));
}
TWIN(g6calc_lasthalf2_all, BLOCK_ARGS, double *eps2, double h2[], SUM_ARGS, int nnbindex[])
{
    return calls::lasthalf2(kAllId, BLOCK, value(eps2), h2, SUMS, nnbindex);
}
TWIN(g6_read_neighbour_list_all, void)
{
    return calls::read_neighbour_list(kAllId);
}
TWIN(g6_get_neighbour_list_all, int *ipipe, int *maxlength, int *nblen, int nbl[])
{
    return calls::get_neighbour_list(kAllId, value(ipipe), value(maxlength), nblen, nbl);
}
TWIN(g6_set_nip_all, int *nip)
{
    calls::set_nip(kAllId, value(nip));
    return G6_OK;
}
TWIN(g6_set_njp_all, int *njp)
{
    calls::set_njp(kAllId, value(njp));
    return G6_OK;
}
TWIN(g6_set_i_particle_scales_from_real_value_all, int *, double[3], double[3], double *, double *,
     double *)
{
    return G6_OK;
}
TWIN(g6_set_i_particle_all, int *address, int *index, double x[3], double v[3], double *eps2,
     double *h2)
{
    calls::set_i_particle(kAllId, value(address), value(index), x, v, value(eps2), value(h2));
    return G6_OK;
}
TWIN(g6_get_force_all, SUM_ARGS, int flag[])
{
    return calls::get_force(kAllId, SUMS, nullptr, flag);
}
TWIN(g6_get_force_etc_all, SUM_ARGS, int nnbindex[], int flag[])
{
    return calls::get_force(kAllId, SUMS, nnbindex, flag);
}
TWIN(g6_get_predicted_j_particles_all, int *nj, double x[][3], double v[][3])
{
    return calls::predict(kAllId, value(nj), x, v);
}
TWIN(g6_getnjmax_all, void)
{
    return calls::njmax(kAllId);
}

}  // extern "C"
