/* SPDX-License-Identifier: MIT
 * Loads more j-particles than the core gives a device at once, and writes the forces of a block
 * into a file.
 * usage: many FILE */
#include <g6lib.h>
#include <stdio.h>

enum { kBodies = (1 << 20) + 5000, kTargets = 64 };
static double x[kBodies][3], v[kBodies][3], mass[kBodies];
static double xi[kTargets][3], vi[kTargets][3], h2[kTargets];
static double acc[kTargets][3], jerk[kTargets][3], pot[kTargets];
static int index_of[kTargets];

static double uniform(void)
{
    static unsigned long long state = 1; /* Knuth's MMIX generator */
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv)
{
    FILE *f = argc > 1 ? fopen(argv[1], "wb") : NULL;
    int k, c;
    if (!f) return 2;
    if (g6_open(0) != 0) return 3;
    for (k = 0; k < kBodies; k++) {
        mass[k] = 1.0 / kBodies;
        v[k][0] = 1;
        for (c = 0; c < 3; c++) x[k][c] = uniform();
    }
    for (k = 0; k < kTargets; k++) {
        index_of[k] = -1;
        for (c = 0; c < 3; c++) xi[k][c] = uniform();
    }
    if (g6_set_j_particles(0, kBodies, NULL, NULL, NULL, mass, NULL, NULL, NULL,
                           (const double(*)[3])v, (const double(*)[3])x) != 0)
        return 4;
    g6calc_firsthalf(0, kBodies, kTargets, index_of, xi, vi, acc, jerk, pot, 1e-4, h2);
    if (g6calc_lasthalf(0, kBodies, kTargets, index_of, xi, vi, 1e-4, h2, acc, jerk, pot) != 0)
        return 5;
    fwrite(acc, sizeof acc, 1, f);
    fwrite(jerk, sizeof jerk, 1, f);
    fwrite(pot, sizeof pot, 1, f);
    fprintf(stderr, "backend %s\n", g6_backend_name(0));
    g6_close(0);
    return fclose(f) != 0;
}
