// SPDX-License-Identifier: MIT
// The g5 calls (include/gp5util.h) behind their plain names (grape5_plain.cpp) and their Fortran
// twins (fortran/g5_fortran.cpp).  As in calls.h, no function of the library calls an exported
// name.
#pragma once

#include "../core/grape5.h"

namespace g6::grape5 {

constexpr int kPipes = 96;  // of a GRAPE-5 board: 8 chips of 2 pipelines, each for 6 i-particles
constexpr int kRealPipes = 16;
constexpr double kBusFrequency = 1;

void open();
int open_special(int n, const int *list);
void close_all();
void set_n(int device, int n);
// A form that sets positions alone passes its name and no masses, and so on.
void set_masses(int device, const char *call, int adr, int nj, double (*x)[3], double *m);
void set_positions(int device, const char *call, int adr, int nj, double (*x)[3]);
void set_mass_values(int device, const char *call, int adr, int nj, double *m);
void set_eta(double eta);
void set_eps_to_all(double eps);
void set_eps2_to_all(double eps2);
void set_eps(int device, int ni, double *eps);
void set_xi(int device, int ni, double (*x)[3]);
void set_xei(int device, const char *call, int ni, double (*x)[3], double *eps2);
void set_ip(int ni, double (*x)[3], double *eps);
void run(int device, const char *call = "g5_run", Softening softening = Softening::kOfTargets);
void get_force(int device, int ni, double (*a)[3], double *p);
void calculate_on_x(int device, double (*x)[3], double (*a)[3], double *p, int ni);
void calculate(int device, const char *call, const PointTargets &targets, double (*a)[3], double *p,
               Softening softening = Softening::kOfTargets);
// With a softening of each j-particle.
void set_softened(int device, int adr, int nj, double (*x)[3], double *m, double *eps2);

}  // namespace g6::grape5
