/* SPDX-License-Identifier: MIT
 * A client that uses MPI itself.
 * usage: own_mpi [waits]    waits: its first message to all comes before its first call of the
 *                           library */
#include <g6lib.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1) MPI_Barrier(MPI_COMM_WORLD);
    g6_open(0);
    printf("backend %s\n", g6_backend_name(0));
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    g6_close(0);
    MPI_Finalize();
    return 0;
}
