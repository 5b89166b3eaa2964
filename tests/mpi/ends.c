/* SPDX-License-Identifier: MIT
 * A client that ends in the way that its argument names, in the middle of a large block and without
 * g6_close().
 * usage: ends exit|return|abort|_exit|kill|close|loop|save|opens FILE
 * loop goes on until it is killed; save ends a block after SIGTERM, as a program that saves its
 * state; opens has a second cluster as soon as FILE is there, and ends when FILE has gone. */
#include <g6lib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kBodies = 6000 };
static double x[kBodies][3], v[kBodies][3], zero[3], h2[kBodies];
static double acc[kBodies][3], jerk[kBodies][3], pot[kBodies];
static int index_of[kBodies];
static volatile sig_atomic_t stops;

static void stop(int signal)
{
    (void)signal;
    stops = 1;
}

static void first_half(void)
{
    g6calc_firsthalf(0, kBodies, kBodies, index_of, x, v, acc, jerk, pot, 1e-4, h2);
}

static void wait_for(const char *file, int there)
{
    while ((access(file, F_OK) == 0) != there) sleep(1);
}

/* Opens a second cluster and computes a block of one particle on it. */
static int second_cluster(void)
{
    g6_open(1);
    g6_set_j_particle(1, 0, kBodies, 0, 1, 1.0, zero, zero, zero, zero, zero);
    g6calc_firsthalf(1, 1, 1, index_of, x + 1, v, acc, jerk, pot, 0, h2);
    if (g6calc_lasthalf(1, 1, 1, index_of, x + 1, v, 0, h2, acc, jerk, pot)) return 4;
    return pot[0] < 0 ? 0 : 5;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int k;
    if (g6_open(0) != 0) return 2;
    for (k = 0; k < kBodies; k++) {
        index_of[k] = k;
        x[k][0] = k * 0.001;
        x[k][1] = (k % 10) * 0.1;
        g6_set_j_particle(0, k, k, 0, 1, 1.0 / kBodies, zero, zero, zero, zero, x[k]);
    }
    g6_set_ti(0, 0);
    first_half();
    if (!strcmp(how, "exit")) exit(7);
    if (!strcmp(how, "return")) return 8;
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "_exit")) _exit(9);
    if (!strcmp(how, "kill")) raise(SIGTERM);
    if (!strcmp(how, "close")) return g6_close(0) == 0 ? 0 : 3;
    if (!strcmp(how, "opens") && argc > 2) {
        int status;
        printf("computing\n");
        fflush(stdout);
        wait_for(argv[2], 1);
        status = second_cluster();
        printf("saved\n");
        fflush(stdout);
        wait_for(argv[2], 0);
        return status;
    }
    if (!strcmp(how, "loop") || !strcmp(how, "save")) {
        if (!strcmp(how, "save")) signal(SIGTERM, stop);
        printf("computing\n");
        fflush(stdout);
        for (;;) {
            if (g6calc_lasthalf(0, kBodies, kBodies, index_of, x, v, 1e-4, h2, acc, jerk, pot))
                return 4;
            if (stops) break;
            first_half();
        }
        printf("saved\n");
        fflush(stdout);
        return 0;
    }
    return 2;
}
