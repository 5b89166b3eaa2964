/* SPDX-License-Identifier: MIT
 * The blocks and the bulk calls of python-overhead.py in C: what Python's times are compared with. */
#include <g6lib.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of one block of ni i-particles, the mean of so many.  The softening changes from block to
 * block: a block that equals the last one is not computed again. */
double blocks(int id, int nj, int ni, int repeats, int index[], double x[][3], double v[][3])
{
    double(*acc)[3] = malloc(sizeof(double[3]) * ni), (*jerk)[3] = malloc(sizeof(double[3]) * ni);
    double *pot = malloc(sizeof(double) * ni);
    int *nearest = malloc(sizeof(int) * ni);
    const double begin = seconds();
    for (int k = 0; k < repeats; k++) {
        const double eps2 = k % 2 ? 1e-4 : 2e-4;
        g6calc_firsthalf(id, nj, ni, index, x, v, NULL, NULL, NULL, eps2, NULL);
        g6calc_lasthalf2(id, nj, ni, index, x, v, eps2, NULL, acc, jerk, pot, nearest);
    }
    const double end = seconds();
    free(acc), free(jerk), free(pot), free(nearest);
    return (end - begin) / repeats;
}

/* Seconds of one bulk call. */
double bulk(int id, int n, const double mass[], const double x[][3], const double v[][3])
{
    const double begin = seconds();
    g6_set_j_particles(id, n, NULL, NULL, NULL, mass, NULL, NULL, NULL, v, x);
    return seconds() - begin;
}
