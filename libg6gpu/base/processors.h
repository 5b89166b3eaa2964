// SPDX-License-Identifier: MIT
// How many processors this process may use.
#pragma once

namespace g6 {

// The least of: the processors of the calling thread's affinity mask; the cgroup's quota, rounded
// up; OMP_NUM_THREADS.  Without OMP_NUM_THREADS, `left` processors are left to other processes.
// Where `left` is 0, and an MPI launcher has started several processes on this machine without
// binding them to processors, each process has an equal share.  At least 1.
int own_processors(int left = 0);

}  // namespace g6
