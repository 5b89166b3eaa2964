/* SPDX-License-Identifier: MIT
 * Computes blocks of many sizes and writes every result into a file: two runs that gave the same
 * bits have written the same bytes.
 * usage: bits FILE [walks|points|walks-points|together|many]
 *   together  with a common velocity
 *   many      one block, of more j-particles than the core gives a device at once */
#include <g6lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBodies = 3000, kMany = (1 << 20) + 5000, kMost = 1500, kList = 4096 };
static double x[kMany][3], v[kMany][3], mass[kMany];
static double xi[kMost][3], vi[kMost][3], h2[kMost], eps2 = 1e-4;
static double acc[kMost][3], jerk[kMost][3], pot[kMost], old[kMost][3], oldpot[kMost];
static int index_of[kMost], nearest[kMost], list[kList];

static double uniform(void)
{
    static unsigned long long state = 1; /* Knuth's MMIX generator */
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void write_particle(int k, double t, int points)
{
    double zero[3] = {0, 0, 0}, a2[3], j6[3];
    int c;
    for (c = 0; c < 3; c++) {
        a2[c] = 0.1 * x[k][c];
        j6[c] = -0.01 * v[k][c];
    }
    if (points)
        g6_set_j_particle_mxonly(0, k, k + 10, mass[k], x[k]);
    else
        g6_set_j_particle(0, k, k + 10, t, 0.125, mass[k], zero, j6, a2, v[k], x[k]);
}

static void put(FILE *f, const void *data, size_t size, int n)
{
    fwrite(data, size, (size_t)n, f);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 7, 48, 300, kMost};
    const char *kind = argc > 2 ? argv[2] : "";
    const int walks = strstr(kind, "walks") != NULL, points = strstr(kind, "points") != NULL;
    const int many = strstr(kind, "many") != NULL, nj = many ? kMany : kBodies;
    const double common = strstr(kind, "together") ? 1e4 : 0;
    FILE *f = argc > 1 ? fopen(argv[1], "wb") : NULL;
    int step, k, c;
    if (!f) return 2;
    if (walks) g6_set_mode(0, "treewalk");
    if (g6_open(0) != 0) return 3;
    for (k = 0; k < nj; k++) {
        mass[k] = (1 + uniform()) / nj;
        for (c = 0; c < 3; c++) {
            x[k][c] = uniform() - 0.5;
            v[k][c] = points ? 0 : uniform() - 0.5 + common;
        }
        if (!many) write_particle(k, 0, points);
    }
    if (many && g6_set_j_particles(0, nj, NULL, NULL, NULL, mass, NULL, NULL, NULL,
                                   (const double(*)[3])v, (const double(*)[3])x) != 0)
        return 8;
    for (step = many ? 2 : 0; step < (many ? 3 : 10); step++) {
        const double t = step / 64.0;
        const int ni = sizes[step % 5], first = (step * 97) % kMost;
        g6_set_ti(0, t);
        for (k = 0; k < ni; k++) {
            index_of[k] = first + k + 10;
            h2[k] = points || many ? 0 : 0.01 * (k % 3);
            memcpy(xi[k], x[first + k], sizeof xi[k]);
            memcpy(vi[k], v[first + k], sizeof vi[k]);
        }
        g6calc_firsthalf(0, nj, ni, index_of, xi, vi, old, old, oldpot, eps2, h2);
        if (points
                ? g6calc_lasthalf(0, nj, ni, index_of, xi, vi, eps2, h2, acc, jerk, pot)
                : g6calc_lasthalf2(0, nj, ni, index_of, xi, vi, eps2, h2, acc, jerk, pot, nearest))
            return 4;
        put(f, acc, sizeof acc[0], ni);
        put(f, pot, sizeof pot[0], ni);
        if (!points) {
            put(f, jerk, sizeof jerk[0], ni);
            put(f, nearest, sizeof nearest[0], ni);
            if (g6_read_neighbour_list(0) != 0) return 5;
            for (k = 0; k < ni; k++) {
                int n = 0;
                if (g6_get_neighbour_list(0, k, kList, &n, list) != 0) return 6;
                put(f, &n, sizeof n, 1);
                put(f, list, sizeof list[0], n);
            }
        }
        for (k = 0; k < ni; k += 2) { /* some have moved, and some are at rest from now on */
            for (c = 0; c < 3; c++) x[first + k][c] += 1e-3 * acc[k][c];
            write_particle(first + k, t, points || k % 4 == 2);
        }
    }
    if (fclose(f) != 0) return 7;
    fprintf(stderr, "backend %s\n", g6_backend_name(0));
    return g6_close(0);
}
