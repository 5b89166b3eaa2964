// SPDX-License-Identifier: MIT
// A client that defines plain g6_ names of its own and forwards each to the Fortran twin, as codes
// do that have one interface for several GRAPE libraries.  Two things must hold, with the shared
// library and with the static one: the names do not clash, and a twin does not come back into the
// client's plain name (it would recurse for ever).  Exit status 1 when either fails.
#include <cmath>
#include <cstdio>

extern "C" {
int g6_open_(int *id);
int g6_close_(int *id);
int g6_npipes_();
int g6_set_ti_(int *id, double *ti);
int g6_set_j_particle_(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                       double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]);
int g6calc_firsthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                      double aold[][3], double j6old[][3], double phiold[], double *eps2,
                      double h2[]);
int g6calc_lasthalf_(int *id, int *nj, int *ni, int index[], double xi[][3], double vi[][3],
                     double *eps2, double h2[], double acc[][3], double jerk[][3], double pot[]);
}

namespace {

// Plain calls now under way: more than one means that the library called back.
int g_depth = 0, g_deepest = 0;

struct Depth {
    Depth()
    {
        if (++g_depth > g_deepest) g_deepest = g_depth;
    }
    ~Depth() { g_depth--; }
};

}  // namespace

// The client's own plain names: by value, void where the library has int.
extern "C" {
void g6_open(int id)
{
    Depth depth;
    if (g_depth == 1) g6_open_(&id);
}
void g6_close(int id)
{
    Depth depth;
    if (g_depth == 1) g6_close_(&id);
}
int g6_npipes()
{
    Depth depth;
    return g_depth == 1 ? g6_npipes_() : 0;
}
void g6_set_ti(int id, double ti)
{
    Depth depth;
    if (g_depth == 1) g6_set_ti_(&id, &ti);
}
void g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                       double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3])
{
    Depth depth;
    if (g_depth == 1)
        g6_set_j_particle_(&id, &address, &index, &tj, &dtj, &mass, a2by18, a1by6, aby2, v, x);
}
void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double aold[][3], double j6old[][3], double phiold[], double eps2,
                      double h2[])
{
    Depth depth;
    if (g_depth == 1)
        g6calc_firsthalf_(&id, &nj, &ni, index, xi, vi, aold, j6old, phiold, &eps2, h2);
}
int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                    double eps2, double h2[], double acc[][3], double jerk[][3], double pot[])
{
    Depth depth;
    return g_depth == 1 ? g6calc_lasthalf_(&id, &nj, &ni, index, xi, vi, &eps2, h2, acc, jerk, pot)
                        : 1;
}
}

int main()
{
    double zero[3] = {0, 0, 0}, place[3] = {2, 0, 0};
    double xi[1][3] = {{0, 0, 0}}, vi[1][3] = {{0, 0, 0}};
    double acc[1][3] = {{0, 0, 0}}, jerk[1][3] = {{0, 0, 0}}, pot[1] = {0}, h2[1] = {0};
    int index[1] = {7};

    g6_open(0);
    const int npipes = g6_npipes();
    g6_set_j_particle(0, 0, 1, 0.0, 0.125, 4.0, zero, zero, zero, zero, place);
    g6_set_ti(0, 0.0);
    g6calc_firsthalf(0, 1, 1, index, xi, vi, acc, jerk, pot, 0.0, h2);
    const int status = g6calc_lasthalf(0, 1, 1, index, xi, vi, 0.0, h2, acc, jerk, pot);
    g6_close(0);

    // Mass 4 at distance 2: acc = 4/2^2 = 1 towards it, pot = -4/2 = -2; a few float roundings.
    const double error = std::fabs(acc[0][0] - 1) + std::fabs(pot[0] + 2) / 2;
    const bool good = status == 0 && npipes > 0 && g_deepest == 1 && error < 64.0 / (1 << 24);
    std::printf("own_names: status %d, npipes %d, depth %d, error %.1e: %s\n", status, npipes,
                g_deepest, error, good ? "good" : "WRONG");
    return good ? 0 : 1;
}
