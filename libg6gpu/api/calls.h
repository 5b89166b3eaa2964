// SPDX-License-Identifier: MIT
// The calls of the interface that have more than one name.  names.h and names_2002.h have a row
// for each name, which calls a hidden function of this header; plain.h makes the plain names of
// the rows, fortran/twin.h their Fortran twins.  A call with one name only is written where it is
// exported (additions.cpp, sapporo.cpp, sapporo_particle.cpp).
//
// Invariant: no function of the library calls an exported name.  An application may define any of
// these names itself, and its function may call another name of the library: a plain name that
// forwards to the Fortran twin would recurse for ever.  tests/exports.sh checks this.
#pragma once

#include "../core/cluster.h"
#include "../trace/format.h"

namespace g6::calls {

using trace::Kind;

int open(ClusterId id);
int close(ClusterId id);
int npipes();
int reset(ClusterId id);
int reinitialize(ClusterId id);
int set_ti(ClusterId id, double ti);
int set_j_particle(ClusterId id, int address, int index, double tj, double dtj, double mass,
                   double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]);
int set_j_particle_mxonly(ClusterId id, int address, int index, double mass, double x[3]);
// To the cluster that serves id, and to each of the nclusters - 1 ids after it that is open.
int set_j_particle_multisend(ClusterId id, int nclusters, int address, int index, double tj,
                             double dtj, double mass, double a2by18[3], double a1by6[3],
                             double aby2[3], double v[3], double x[3]);
int set_j_point_multisend(ClusterId id, int nclusters, int address, int index, double mass,
                          double x[3]);
void firsthalf(ClusterId id, Kind kind, const BlockArgs &args);
// The kind tells which outputs the call has; the others are null.
int lasthalf(ClusterId id, Kind kind, const BlockArgs &args, const BlockOutputs &out);
int read_neighbour_list(ClusterId id);
int get_neighbour_list(ClusterId id, int ipipe, int maxlength, int *nblen, int nbl[]);
int set_neighbour_list_sort_mode(int mode);
int get_neighbour_list_sort_mode();
int setup_njdata(ClusterId id, int nj);
int print_chip_status(ClusterId id);
void set_nip(ClusterId id, int nip);
void set_njp(ClusterId id, int njp);
void set_i_particle(ClusterId id, int address, int index, double x[3], double v[3], double eps2,
                    double h2);
// i-particles address, address + 1 ... address + ni - 1.
int set_i_particles(ClusterId id, int address, int ni, int index[], double x[][3], double v[][3],
                    double eps2[], double h2[]);
int get_force(ClusterId id, double acc[][3], double jerk[][3], double phi[], int *nnbindex,
              int flag[]);
// Each thread remembers how many i-particles it has set for an id (exactly: n, else at least n): a
// get_force() that another thread's call keeps from the cluster writes so many zeros.
void note_pipes(ClusterId id, int n, bool exactly);
void forget_halves(ClusterId id);
int predict(ClusterId id, int nj, double x[][3], double v[][3]);
int njmax(ClusterId id);
// A call that only the hardware needs: the library records it and does nothing else.
int hardware_only(Kind kind, ClusterId id);
// A number that only the hardware needs; it is kept.
int mccount();
int set_mccount(int count);

}  // namespace g6::calls
