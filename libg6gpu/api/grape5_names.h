// SPDX-License-Identifier: MIT
// The calls of gp5util.h that have a plain C name and a Fortran twin; names.h explains the rows.
//
//     MC_CALL(name, parameters, work)                       nameMC(parameters)
//     DEVICE_CALL(name, function, values, parameters)       name(parameters), which is function(0,
//                                                           values) of grape5_calls.h, and
//                                                           nameMC(device, parameters), the same
//                                                           for this device
//     MC0_CALL(name, parameters, work)                      nameMC0(parameters)
#include "parameters.h"

#define DEVICE_CALL(name, function, values, ...)                                                   \
    VOID_CALL(name, (__VA_ARGS__), g5::function(0, values))                                        \
    MC_CALL(name, (INT(device), __VA_ARGS__), g5::function(value(device), values))

VOID_CALL(g5_open, (void), g5::open())
VOID_CALL(g5_close, (void), g5::close_all())
CALL(g5_get_number_of_pipelines, (void), g5::kPipes)
CALL(g5_get_number_of_pipelines_per_board, (void), g5::kPipes)
CALL(g5_open_special, (INT(n), int *list), g5::open_special(value(n), list))
CALL(g5_get_number_of_real_pipelines, (void), g5::kRealPipes)
CALL(g5_get_number_of_boards, (void), 1)
CALL(g5_get_firstcluster, (void), 0)
CALL(g5_get_jmemsize, (void), JMEMSIZE)
VOID_CALL(g5_set_range, (REAL(), REAL(), REAL()), static_cast<void>(0))
VOID_CALL(g5_set_eta, (REAL(eta)), g5::set_eta(value(eta)))
VOID_CALL(g5_set_eps_to_all, (REAL(eps)), g5::set_eps_to_all(value(eps)))
VOID_CALL(g5_set_eps2_to_all, (REAL(eps2)), g5::set_eps2_to_all(value(eps2)))

DEVICE_CALL(g5_set_n, set_n, value(n), INT(n))
DEVICE_CALL(g5_set_xmj, set_masses, LIST("g5_set_xmj", SLOTS, x, m), SLOT_ARGS, double (*x)[3],
            double *m)
DEVICE_CALL(g5_set_jp, set_masses, LIST("g5_set_jp", SLOTS, x, m), SLOT_ARGS, double *m,
            double (*x)[3])
DEVICE_CALL(g5_set_mj, set_mass_values, LIST("g5_set_mj", SLOTS, m), SLOT_ARGS, double *m)
DEVICE_CALL(g5_set_xj, set_positions, LIST("g5_set_xj", SLOTS, x), SLOT_ARGS, double (*x)[3])
DEVICE_CALL(g5_set_eps, set_eps, LIST(value(ni), eps), INT(ni), double *eps)
DEVICE_CALL(g5_set_xi, set_xi, LIST(value(ni), x), INT(ni), double (*x)[3])
DEVICE_CALL(g5_set_xei, set_xei, LIST("g5_set_xei", value(ni), x, eps2), INT(ni), double (*x)[3],
            double *eps2)
VOID_CALL(g5_set_ip, (INT(ni), double (*x)[3], double *eps, double *),
          g5::set_ip(value(ni), x, eps))
VOID_CALL(g5_run, (void), g5::run(0))
MC_CALL(g5_run, (INT(device)), g5::run(value(device)))
DEVICE_CALL(g5_get_force, get_force, LIST(value(ni), a, p), INT(ni), double (*a)[3], double *p)
DEVICE_CALL(g5_calculate_force_on_x, calculate_on_x, LIST(x, a, p, value(ni)), double (*x)[3],
            double (*a)[3], double *p, INT(ni))
DEVICE_CALL(g5_calculate_force_on_xe, calculate,
            LIST("g5_calculate_force_on_xe", {x, eps2, 1, value(ni)}, a, p), double (*x)[3],
            double *eps2, double (*a)[3], double *p, INT(ni))

// The forms with a softening of each j-particle.
VOID_CALL(g5_set_xmj0, (SLOT_ARGS, double (*x)[3], double *m, double *epsj2),
          g5::set_softened(0, SLOTS, x, m, epsj2))
MC0_CALL(g5_set_xmj, (INT(device), SLOT_ARGS, double (*x)[3], double *m, double *epsj2),
         g5::set_softened(value(device), SLOTS, x, m, epsj2))
MC0_CALL(g5_set_xi, (INT(device), INT(ni), double (*x)[3], double *eps2),
         g5::set_xei(value(device), "g5_set_xiMC0", value(ni), x, eps2))
MC0_CALL(g5_run, (INT(device)), g5::run(value(device), "g5_runMC0", g6::Softening::kOfBoth))
VOID_CALL(g5_calculate_force_on_x0,
          (double (*x)[3], double (*a)[3], double *p, INT(ni), double *eps2),
          g5::calculate(0, "g5_calculate_force_on_x0", {x, eps2, 1, value(ni)}, a, p,
                        g6::Softening::kOfBoth))
MC0_CALL(g5_calculate_force_on_x,
         (INT(device), double (*x)[3], double (*a)[3], double *p, INT(ni), double *eps2),
         g5::calculate(value(device), "g5_calculate_force_on_x0", {x, eps2, 1, value(ni)}, a, p,
                       g6::Softening::kOfBoth))
