// SPDX-License-Identifier: MIT
// How many processors this process may use.
#pragma once

namespace g6 {

// At least 1, and at most: the processors of the calling thread's affinity mask; the cgroup's
// quota, rounded up; OMP_NUM_THREADS.  Without OMP_NUM_THREADS `left` of them are left to other
// processes; where this is 0 and an MPI launcher has started several processes on this machine and
// bound none of them to processors, each has an equal share.
int own_processors(int left = 0);

}  // namespace g6
