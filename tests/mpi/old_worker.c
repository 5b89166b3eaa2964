/* SPDX-License-Identifier: MIT
 * Greets as a worker of another version would (backends/mpi/message.h), and shows the answer. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

struct greeting {
    char magic[8], version[32];
    int abi, layout;
    char host[64];
};
struct welcome {
    int accepted, ends_job, which, sharers;
    char reason[256];
};

int main(int argc, char **argv)
{
    struct greeting g;
    struct welcome w;
    MPI_Init(&argc, &argv);
    memset(&g, 0, sizeof g);
    memcpy(g.magic, "g6worker", 8);
    strcpy(g.version, "0.9.7");
    strcpy(g.host, "there");
    MPI_Send(&g, sizeof g, MPI_BYTE, 0, 20001, MPI_COMM_WORLD);
    MPI_Recv(&w, sizeof w, MPI_BYTE, 0, 20002, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("accepted %d: %s\n", w.accepted, w.reason);
    MPI_Finalize();
    return 0;
}
