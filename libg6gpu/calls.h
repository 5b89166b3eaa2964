// SPDX-License-Identifier: MIT
// Hidden internals behind both families of entry points: the plain names (api.cpp) and the Fortran
// twins.
#pragma once

namespace g6::calls {

constexpr int kAllId = -2147483647;  // the cluster of the *_all calls

int open(int id);
int close(int id);
int open_all();
int close_all();
int npipes();
int reset(int id);
int reinitialize(int id);
int set_ti(int id, double ti);
int set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                   double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]);
int set_j_particle_mxonly(int id, int address, int index, double mass, double x[3]);
void firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
               double aold[][3], double j6old[][3], double phiold[], double eps2, double h2[]);
void firsthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                double aold[][3], double j6old[][3], double phiold[], double *eps2, double h2[],
                int mode);
int lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3], double eps2,
             double h2[], double acc[][3], double jerk[][3], double pot[]);
int lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3], double eps2,
              double h2[], double acc[][3], double jerk[][3], double pot[], int nnbindex[]);
int lasthalf2p(int id, int nj, int ni, int index[], double xi[][3], double vi[][3], double eps2,
               double h2[], double acc[][3], double jerk[][3], double pot[], int nnbindex[],
               float rnnb[]);
int lasthalf0(int id, int nj, int ni, int index[], double xi[][3], double vi[][3], double *eps2,
              double h2[], double acc[][3], double jerk[][3], double pot[], int mode);
int read_neighbour_list(int id);
int get_neighbour_list(int id, int ipipe, int maxlength, int *nblen, int nbl[]);
int set_neighbour_list_sort_mode(int mode);
int get_neighbour_list_sort_mode();
int setup_njdata(int id, int nj);
int print_chip_status(int id);
void set_nip(int id, int nip);
void set_njp(int id, int njp);
void set_i_particle(int id, int address, int index, double x[3], double v[3], double eps2,
                    double h2);
int get_force(int id, double acc[][3], double jerk[][3], double phi[], int *nnbindex, int flag[]);
int predict(int id, int nj, double x[][3], double v[][3]);
int njmax(int id);

}  // namespace g6::calls
