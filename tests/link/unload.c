/* SPDX-License-Identifier: MIT
 * A plug-in that computes with the library, and is then unloaded with it: the threads that the
 * library has started go on, and so the library stays. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

enum { N = 4096 }; /* enough for several threads */
static double x[N][3], v[N][3], acc[N][3], jerk[N][3], pot[N];
static int index_of[N];

static int fail(const char *what)
{
    fprintf(stderr, "unload: %s\n", what);
    return 1;
}

typedef double Rows[][3];
typedef int SetPoint(int, int, int, double, double *);
typedef void First(int, int, int, int *, Rows, Rows, Rows, Rows, double *, double, double *);
typedef int Last(int, int, int, int *, Rows, Rows, double, double *, Rows, Rows, double *);
typedef int Close(int);

static int compute(void *library, int steps)
{
    SetPoint *set;
    First *first;
    Last *last;
    Close *close;
    *(void **)&set = dlsym(library, "g6_set_j_particle_mxonly");
    *(void **)&first = dlsym(library, "g6calc_firsthalf");
    *(void **)&last = dlsym(library, "g6calc_lasthalf");
    *(void **)&close = dlsym(library, "g6_close");
    if (!set || !first || !last || !close) return fail("a call is missing");
    /* Masses of 1 at two places that are 1 apart. */
    for (int k = 0; k < N; k++) {
        x[k][0] = k % 2;
        index_of[k] = k;
        if (set(0, k, k, 1, x[k]) != 0) return fail("a particle was refused");
    }
    for (int step = 0; step < steps; step++) {
        first(0, N, N, index_of, x, v, acc, jerk, pot, 1, NULL);
        if (last(0, N, N, index_of, x, v, 1, NULL, acc, jerk, pot) != 0) return fail("lasthalf");
    }
    /* N/2 - 1 at distance 0 and N/2 at distance 1, with a softening of 1. */
    const double expected = -(N / 2 - 1 + N / 2 * 0.70710678118654752);
    if (!(pot[7] > expected * 1.00001 && pot[7] < expected * 0.99999))
        return fail("wrong potential");
    return close(0) != 0;
}

int main(int argc, char **argv)
{
    for (int round = 0; round < 3; round++) {
        const struct timespec moment = {0, 20000000};
        void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
        if (!library) return fail("the library cannot be loaded");
        if (compute(library, 1 + round) != 0) return 1;
        dlclose(library);
        nanosleep(&moment, NULL); /* in which the library's threads look for work */
        if (!dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD))
            return fail("the library has left the process");
    }
    return 0;
}
