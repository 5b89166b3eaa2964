// SPDX-License-Identifier: MIT
// The calls of parts 1 to 4 of g6lib.h that have a plain C name and a Fortran twin, a row each.
// plain.h makes the plain functions of the rows, fortran/twin.h the twins.
//
//     CALL(name, parameters, result)       a function that returns `result`
//     VOID_CALL(name, parameters, work)    one that returns nothing in C; its twin returns 0
//     CALL_AND_ALL, VOID_CALL_AND_ALL (name, function, values, parameters)
//                                          name(id, parameters), which is function(id, values) of
//                                          calls.h, and name_all(parameters), the same for the
//                                          cluster of all devices
//
// INT(name) and REAL(name) are scalars: by value in C, by pointer in Fortran, and value(name) is
// their value in both, pointer(name) a pointer to it.  INT() and REAL() are scalars that are never
// read.
#include "parameters.h"

#define CALL_AND_ALL(name, function, values, ...)                                                  \
    CALL(name, (INT(id), __VA_ARGS__), calls::function(value(id), values))                         \
    CALL(name##_all, (__VA_ARGS__), calls::function(kAllId, values))
#define VOID_CALL_AND_ALL(name, function, values, ...)                                             \
    VOID_CALL(name, (INT(id), __VA_ARGS__), calls::function(value(id), values))                    \
    VOID_CALL(name##_all, (__VA_ARGS__), calls::function(kAllId, values))

// ---- 1. the GRAPE-6 calls ----

CALL(g6_open, (INT(id)), calls::open(value(id)))
CALL(g6_open_all, (void), calls::open(kAllId))
CALL(g6_close, (INT(id)), calls::close(value(id)))
CALL(g6_close_all, (void), calls::close(kAllId))
CALL(g6_npipes, (void), calls::npipes())
CALL(g6_get_number_of_pipelines, (void), calls::npipes())
CALL(g6_reset, (INT(id)), calls::reset(value(id)))
CALL(g6_reset_fofpga, (INT(id)), calls::reset(value(id)))
CALL(g6_reinitialize, (INT(id)), calls::reinitialize(value(id)))
CALL(g6_set_tunit, (INT()), calls::hardware_only(Kind::kSetTunit, 0))
CALL(g6_set_xunit, (INT()), calls::hardware_only(Kind::kSetXunit, 0))
CALL_AND_ALL(g6_set_ti, set_ti, value(ti), REAL(ti))
CALL_AND_ALL(g6_set_j_particle, set_j_particle, PARTICLE, PARTICLE_ARGS)
VOID_CALL_AND_ALL(g6calc_firsthalf, firsthalf, LIST(Kind::kFirsthalf, {BLOCK, aold}), BLOCK_ARGS,
                  OLD_ARGS, REAL(eps2), double h2[])
CALL_AND_ALL(g6calc_lasthalf, lasthalf, LIST(Kind::kLasthalf, {BLOCK}, {SUMS}), BLOCK_ARGS,
             REAL(eps2), double h2[], SUM_ARGS)
CALL_AND_ALL(g6calc_lasthalf2, lasthalf, LIST(Kind::kLasthalf2, {BLOCK}, {SUMS, nnbindex}),
             BLOCK_ARGS, REAL(eps2), double h2[], SUM_ARGS, int nnbindex[])
CALL(g6_read_neighbour_list, (INT(id)), calls::read_neighbour_list(value(id)))
CALL(g6_read_neighbour_list_old, (INT(id)), calls::read_neighbour_list(value(id)))
CALL(g6_read_neighbour_list_all, (void), calls::read_neighbour_list(kAllId))
CALL_AND_ALL(g6_get_neighbour_list, get_neighbour_list,
             LIST(value(ipipe), value(maxlength), nblen, nbl), INT(ipipe), INT(maxlength),
             int *nblen, int nbl[])
CALL(g6_get_neighbour_list_sort_mode, (void), calls::get_neighbour_list_sort_mode())
CALL(g6_initialize_jp_buffer, (INT(id), INT()), calls::hardware_only(Kind::kInitBuffer, value(id)))
CALL(g6_flush_jp_buffer, (INT(id)), calls::hardware_only(Kind::kFlushBuffer, value(id)))
CALL(g6_setup_njdata, (INT(id), INT(nj)), calls::setup_njdata(value(id), value(nj)))
CALL(g6_set_overflow_flag_test_mode, (INT(), INT(), INT()),
     calls::hardware_only(Kind::kOverflowMode, 0))
CALL(g6_print_chip_status, (INT(id)), calls::print_chip_status(value(id)))

// ---- 2. calls of the GRAPE treecodes ----

CALL_AND_ALL(g6_set_j_particle_mxonly, set_j_particle_mxonly, POINT, POINT_ARGS)
CALL(g6_flush_jp_buffer_and_multisend, (INT(id), INT()),
     calls::hardware_only(Kind::kFlushMulti, value(id)))

// ---- 3. Phantom-GRAPE's forms of lasthalf: lists are always at hand, so n adds nothing ----

CALL(g6calc_lasthalfn, (INT(id), BLOCK_ARGS, REAL(eps2), double h2[], SUM_ARGS),
     calls::lasthalf(value(id), Kind::kLasthalf, {BLOCK}, {SUMS}))
CALL(g6calc_lasthalf2n, (INT(id), BLOCK_ARGS, REAL(eps2), double h2[], SUM_ARGS, int nnbindex[]),
     calls::lasthalf(value(id), Kind::kLasthalf2, {BLOCK}, {SUMS, nnbindex}))
CALL(g6calc_lasthalf2p,
     (INT(id), BLOCK_ARGS, REAL(eps2), double h2[], SUM_ARGS, int nnbindex[], float rnnb[]),
     calls::lasthalf(value(id), Kind::kLasthalf2p, {BLOCK}, {SUMS, nnbindex, rnnb}))
CALL(g6calc_lasthalf2np,
     (INT(id), BLOCK_ARGS, REAL(eps2), double h2[], SUM_ARGS, int nnbindex[], float rnnb[]),
     calls::lasthalf(value(id), Kind::kLasthalf2p, {BLOCK}, {SUMS, nnbindex, rnnb}))

// ---- 4. calls of Kawai & Fukushige's library ----

VOID_CALL_AND_ALL(g6calc_firsthalf0, firsthalf, LIST(Kind::kFirsthalf0, {BLOCK0, aold}), BLOCK_ARGS,
                  OLD_ARGS, double *eps2, double h2[], INT(mode))
CALL_AND_ALL(g6calc_lasthalf0, lasthalf, LIST(Kind::kLasthalf0, {BLOCK0}, {SUMS}), BLOCK_ARGS,
             double *eps2, double h2[], SUM_ARGS, INT(mode))
VOID_CALL_AND_ALL(g6_set_nip, set_nip, value(nip), INT(nip))
VOID_CALL_AND_ALL(g6_set_njp, set_njp, value(njp), INT(njp))
VOID_CALL(g6_set_i_particle_scales_from_real_value,
          (INT(), INT(), double[3], double[3], REAL(), REAL(), REAL()), static_cast<void>(0))
VOID_CALL(g6_set_i_particle_scales_from_real_value_all,
          (INT(), double[3], double[3], REAL(), REAL(), REAL()), static_cast<void>(0))
VOID_CALL_AND_ALL(g6_set_i_particle, set_i_particle,
                  LIST(value(address), value(index), x, v, value(eps2), value(h2)), INT(address),
                  INT(index), double x[3], double v[3], REAL(eps2), REAL(h2))
CALL_AND_ALL(g6_get_force, get_force, LIST(SUMS, nullptr, flag), SUM_ARGS, int flag[])
CALL_AND_ALL(g6_get_force_etc, get_force, LIST(SUMS, nnbindex, flag), SUM_ARGS, int nnbindex[],
             int flag[])
CALL_AND_ALL(g6_get_predicted_j_particles, predict, LIST(value(nj), x, v), INT(nj), double x[][3],
             double v[][3])
CALL(g6_getnjmax, (INT(id)), calls::njmax(value(id)))
CALL(g6_getnjmax_all, (void), calls::njmax(kAllId))
