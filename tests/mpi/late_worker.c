/* SPDX-License-Identifier: MIT
 * Loaded before a worker: once the client has welcomed it, the worker does nothing for longer than
 * the client waits for its offer. */
#include <mpi.h>
#include <unistd.h>

enum { kTagWelcome = 20002, kSeconds = 125 };

int MPI_Recv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm world,
             MPI_Status *status)
{
    const int result = PMPI_Recv(to, n, type, from, tag, world, status);
    if (tag == kTagWelcome) sleep(kSeconds);
    return result;
}
