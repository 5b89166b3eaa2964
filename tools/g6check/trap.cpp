// SPDX-License-Identifier: MIT
// Defines the plain g6_ names: each notes that it was called and calls the function of the same
// name in the library under test.
#include "trap.h"

#include <g6lib.h>

namespace g6check::trap {
namespace {

const g6tools::SharedLibrary *g_library = nullptr;
std::string g_called;

template <class... Args> int pass_on(const char *name, Args... args)
{
    if (g_called.find(name) == std::string::npos) g_called += " " + std::string(name);
    int (*next)(Args...) = nullptr;
    return g_library && g_library->find(name, next) ? next(args...) : 0;
}

}  // namespace

void set_library(const g6tools::SharedLibrary *library)
{
    g_library = library;
}

std::string called()
{
    return g_called;
}

}  // namespace g6check::trap

#define PASS_ON(name, ...) g6check::trap::pass_on(#name, ##__VA_ARGS__)

extern "C" {

int g6_open(int id)
{
    return PASS_ON(g6_open, id);
}
int g6_close(int id)
{
    return PASS_ON(g6_close, id);
}
int g6_npipes(void)
{
    return PASS_ON(g6_npipes);
}
int g6_reset(int id)
{
    return PASS_ON(g6_reset, id);
}
int g6_set_ti(int id, double ti)
{
    return PASS_ON(g6_set_ti, id, ti);
}
int g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                      double k18[3], double j6[3], double a2[3], double v[3], double x[3])
{
    return PASS_ON(g6_set_j_particle, id, address, index, tj, dtj, mass, k18, j6, a2, v, x);
}
void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double aold[][3], double j6old[][3], double phiold[], double eps2,
                      double h2[])
{
    PASS_ON(g6calc_firsthalf, id, nj, ni, index, xi, vi, aold, j6old, phiold, eps2, h2);
}
int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                    double eps2, double h2[], double acc[][3], double jerk[][3], double pot[])
{
    return PASS_ON(g6calc_lasthalf, id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot);
}
int g6calc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                     int nnbindex[])
{
    return PASS_ON(g6calc_lasthalf2, id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, nnbindex);
}
int g6_read_neighbour_list(int id)
{
    return PASS_ON(g6_read_neighbour_list, id);
}
int g6_get_neighbour_list(int id, int ipipe, int maxlength, int *nblen, int nbl[])
{
    return PASS_ON(g6_get_neighbour_list, id, ipipe, maxlength, nblen, nbl);
}

}  // extern "C"
