/* SPDX-License-Identifier: MIT
 * One process of a parallel code, as ph4 is: it opens the number of its GPU, passes its MPI rank as
 * id, holds its share of the j-particles, and asks for the force of that share on all bodies, most
 * of which are in no local memory.  usage: rank RANK SIZE, or under mpirun. */
#include "client.h"

#include <stdlib.h>

static int number(const char *text, const char *first, const char *second)
{
    if (!text) text = getenv(first);
    if (!text) text = getenv(second);
    return text ? atoi(text) : 0;
}

int main(int argc, char **argv)
{
    const int rank = number(argc > 1 ? argv[1] : NULL, "OMPI_COMM_WORLD_RANK", "PMI_RANK");
    const int size = number(argc > 2 ? argv[2] : NULL, "OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
    if (size < 1 || rank >= size) return 2;
    static struct bodies b;
    static struct force f;
    static double h2[kBodies];
    double eps2 = 1e-4, t = 0;
    const int from = kBodies * rank / size, to = kBodies * (rank + 1) / size;
    int gpu = 0, id = rank, nj = to - from, ni = kBodies, bad = 0;
    place(&b);
    g6_open_(&gpu);
    send(&id, &b, from, to);
    g6_set_ti_(&id, &t);
    g6calc_firsthalf_(&id, &nj, &ni, b.index, b.x, b.v, f.acc, f.jerk, f.pot, &eps2, h2);
    bad |= g6calc_lasthalf_(&id, &nj, &ni, b.index, b.x, b.v, &eps2, h2, f.acc, f.jerk, f.pot);
    for (int i = 0; i < kBodies; i++) {
        const struct sum want = own_sum(&b, from, to, i, eps2);
        bad |= wrong(&want, f.acc[i], f.pot[i]);
    }
    printf("rank %d of %d: %d j-particles, %s\n", rank, size, nj, bad ? "WRONG" : "good");
    return bad;
}
