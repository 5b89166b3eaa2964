// SPDX-License-Identifier: MIT
// The device of a process among the processes of its machine (G6_DEVICES=local), for parallel codes
// with one process a GPU.  The launcher of the code numbers the processes of each machine from 0
// and tells each its number, the local rank, in an environment variable:
//     OMPI_COMM_WORLD_LOCAL_RANK   Open MPI
//     MPI_LOCALRANKID              MPICH and Intel MPI, by their launcher Hydra
//     PMI_LOCAL_RANK               other launchers that offer the interface PMI
//     SLURM_LOCALID                Slurm's srun
// The first of these variables that holds a number counts.
#pragma once

#include <string>

namespace g6 {

// The device's number: the local rank modulo the number of devices, which is at least 1.  The log
// tells when two ranks come to one device (info), and when no variable is there, which gives
// device 0 (error: every process of a machine would compute on that device).
int device_of_local_rank(const std::string &backend, int devices);

}  // namespace g6
