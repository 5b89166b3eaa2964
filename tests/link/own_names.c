/* SPDX-License-Identifier: MIT
 * A client as ph4 and the sapporo2 test are: it defines the plain names itself and calls the
 * Fortran ones.  If the library forwarded one exported name to another, this would call itself for
 * ever; if both families sat in one object of the static archive, it would not link. */
#include <stdio.h>

int g6_open_(int *id);
int g6_close_(int *id);
int g6_npipes_(void);
int g6_set_ti_(int *id, double *ti);
int g6_set_j_particle_(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                       double *k18, double *j6, double *a2, double *v, double *x);
void g6calc_firsthalf_(int *id, int *nj, int *ni, int *index, double *xi, double *vi, double *aold,
                       double *j6old, double *phiold, double *eps2, double *h2);
int g6calc_lasthalf_(int *id, int *nj, int *ni, int *index, double *xi, double *vi, double *eps2,
                     double *h2, double *acc, double *jerk, double *pot);

int g6_open(int id)
{
    return g6_open_(&id);
}
int g6_close(int id)
{
    return g6_close_(&id);
}
int g6_npipes(void)
{
    return g6_npipes_();
}
int g6_set_ti(int id, double ti)
{
    return g6_set_ti_(&id, &ti);
}
int g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                      double k18[3], double j6[3], double a2[3], double v[3], double x[3])
{
    return g6_set_j_particle_(&id, &address, &index, &tj, &dtj, &mass, k18, j6, a2, v, x);
}
void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double aold[][3], double j6old[][3], double phiold[], double eps2,
                      double h2[])
{
    g6calc_firsthalf_(&id, &nj, &ni, index, xi[0], vi[0], aold[0], j6old[0], phiold, &eps2, h2);
}
int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                    double eps2, double h2[], double acc[][3], double jerk[][3], double pot[])
{
    return g6calc_lasthalf_(&id, &nj, &ni, index, xi[0], vi[0], &eps2, h2, acc[0], jerk[0], pot);
}

/* Unit mass at x = 2: acc = 1/4, pot = -1/2. */
int main(void)
{
    double zero[3] = {0, 0, 0}, x[3] = {2, 0, 0};
    double xi[1][3] = {{0, 0, 0}}, vi[1][3] = {{0, 0, 0}}, acc[1][3], jerk[1][3], pot[1] = {0},
           h2[1] = {0};
    int index[1] = {9}, status = 0;
    status |= g6_npipes() != 48;
    status |= g6_open(3) | g6_open_(NULL); /* a NULL id is 0 */
    status |= g6_set_j_particle(3, 0, 1, 0, 0, 1, zero, zero, zero, zero, x);
    status |= g6_set_ti(3, 0.5);
    g6calc_firsthalf(3, 1, 1, index, xi, vi, acc, jerk, pot, 0, h2);
    status |= g6calc_lasthalf(3, 1, 1, index, xi, vi, 0, h2, acc, jerk, pot);
    status |= g6_close(3) | g6_close_(NULL);
    if (status || acc[0][0] < 0.249999 || acc[0][0] > 0.250001 || pot[0] > -0.49999 ||
        pot[0] < -0.50001) {
        printf("status %d acc %g pot %g\n", status, acc[0][0], pot[0]);
        return 1;
    }
    return 0;
}
