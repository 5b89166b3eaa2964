/* SPDX-License-Identifier: MIT
 * For the stand-ins of client shapes: the Fortran names as an old C code declares them, bodies on a
 * spiral, and the code's own sums in double to compare with. */
#include <math.h>
#include <stdio.h>

int g6_open_(int *id);
int g6_close_(int *id);
int g6_npipes_(void);
void g6_set_ti_(int *id, double *ti);
void g6_set_j_particle_(int *id, int *address, int *index, double *tj, double *dtj, double *mass,
                        double *k18, double *j6, double *a2, double *v, double *x);
void g6calc_firsthalf_(int *id, int *nj, int *ni, int *index, double xi[][3], double vi[][3],
                       double aold[][3], double j6old[][3], double *phiold, double *eps2,
                       double *h2);
int g6calc_lasthalf_(int *id, int *nj, int *ni, int *index, double xi[][3], double vi[][3],
                     double *eps2, double *h2, double acc[][3], double jerk[][3], double *pot);

enum { kBodies = 96 };

struct bodies {
    int index[kBodies];
    double mass, x[kBodies][3], v[kBodies][3];
};

struct force {
    double acc[kBodies][3], jerk[kBodies][3], pot[kBodies];
};

static void place(struct bodies *b)
{
    b->mass = 1.0 / kBodies;
    for (int k = 0; k < kBodies; k++) {
        const double r = 0.1 + 0.01 * k, angle = 2.4 * k;
        const double x[3] = {r * cos(angle), r * sin(angle), 0.3 * sin(5 * angle)};
        const double v[3] = {-x[1], x[0], 0.1 * cos(angle)};
        b->index[k] = k + 1;
        for (int d = 0; d < 3; d++) b->x[k][d] = x[d], b->v[k][d] = v[d];
    }
}

/* Bodies from ... to-1 go to addresses 0, 1, ... */
static void send(int *id, struct bodies *b, int from, int to)
{
    double zero[3] = {0, 0, 0}, t = 0;
    for (int k = from; k < to; k++) {
        int address = k - from;
        g6_set_j_particle_(id, &address, &b->index[k], &t, &t, &b->mass, zero, zero, zero, b->v[k],
                           b->x[k]);
    }
}

struct sum {
    double acc[3], pot, size; /* size: sum of the sizes of acc's terms */
};

/* Bodies from ... to-1 on body i. */
static struct sum own_sum(const struct bodies *b, int from, int to, int i, double eps2)
{
    struct sum sum = {{0, 0, 0}, 0, 0};
    for (int j = from; j < to; j++) {
        double r[3], s2 = eps2;
        if (j == i) continue;
        for (int d = 0; d < 3; d++) r[d] = b->x[j][d] - b->x[i][d], s2 += r[d] * r[d];
        for (int d = 0; d < 3; d++) sum.acc[d] += b->mass * r[d] / (s2 * sqrt(s2));
        sum.pot -= b->mass / sqrt(s2);
        sum.size += b->mass / s2;
    }
    return sum;
}

/* In mixed precision a pair has at most 32 float roundings in acc, 16 in pot. */
static int wrong(const struct sum *want, const double acc[3], double pot)
{
    const double rounding = 1.0 / (1 << 24);
    int bad = !(fabs(pot - want->pot) <= 16 * rounding * fabs(want->pot));
    for (int d = 0; d < 3; d++) bad |= !(fabs(acc[d] - want->acc[d]) <= 32 * rounding * want->size);
    return bad;
}
