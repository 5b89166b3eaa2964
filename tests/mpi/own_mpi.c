/* SPDX-License-Identifier: MIT
 * A client that uses MPI itself.
 * usage: own_mpi [waits|ended]    waits: its first message to all comes before its first call of
 *                                 the library; ended: it ends MPI before that */
#include <g6lib.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int ended = argc > 1 && argv[1][0] == 'e';
    if (ended)
        MPI_Finalize();
    else if (argc > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    g6_open(0);
    printf("backend %s\n", g6_backend_name(0));
    fflush(stdout);
    if (!ended) MPI_Barrier(MPI_COMM_WORLD);
    g6_close(0);
    if (!ended) MPI_Finalize();
    return 0;
}
