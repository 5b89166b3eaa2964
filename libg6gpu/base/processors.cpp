// SPDX-License-Identifier: MIT
// Reads each limit on the number of processors from the system or the environment, and takes the
// smallest that applies.
#include "processors.h"

#include "status.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <thread>

namespace g6 {
namespace {

int bound_processors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    // A machine with more processors than the set holds refuses the call.
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    return std::max(1, CPU_COUNT(&set));
}

// Reads one or two numbers from a file.  Returns how many there are; 0 without such a file.
int numbers_in(const char *path, const char *format, double &a, double &b)
{
    std::FILE *const file = std::fopen(path, "re");
    if (!file) return 0;
    const int numbers = std::fscanf(file, format, &a, &b);
    std::fclose(file);
    return numbers;
}

// Processors of the machine.  Other calls of the system count only those of the affinity mask.
int all_processors()
{
    double first = 0, last = 0;
    const int numbers = numbers_in("/sys/devices/system/cpu/online", "%lf-%lf", first, last);
    return numbers < 1 ? bound_processors() : numbers == 2 ? static_cast<int>(last - first) + 1 : 1;
}

// Processors that the quota of the cgroup (version 2, else 1) allows; 2^20 where there is no quota:
// the file then has the word "max", or -1.
int quota_processors()
{
    double quota = 0, period = 0, none = 0;
    const bool known =
        numbers_in("/sys/fs/cgroup/cpu.max", "%lf %lf", quota, period) == 2 ||
        (numbers_in("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "%lf", quota, none) == 1 &&
         numbers_in("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "%lf", period, none) == 1);
    if (!known || quota <= 0 || period <= 0) return 1 << 20;
    return static_cast<int>(std::clamp(std::ceil(quota / period), 1.0, 1e6));
}

// A positive number of an environment variable; OMP_NUM_THREADS may hold several, by nested level.
int number_of(const char *name)
{
    const char *const text = std::getenv(name);
    return text ? std::max(0, std::atoi(text)) : 0;
}

// Processes of an MPI program on this machine, as Open MPI or MPICH and its kin tell.
int local_processes()
{
    for (const char *name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"})
        if (const int n = number_of(name)) return n;
    return 1;
}

}  // namespace

int own_processors(int left)
{
    const CallScope scope;  // for callers without one: this function reads files
    const int bound = bound_processors(), most = number_of("OMP_NUM_THREADS");
    int n = std::min(bound, quota_processors());
    if (most > 0) return std::min(n, most);
    if (left > 0) return std::max(1, n - left);
    // A process that is bound has its share already.
    if (bound >= all_processors()) n = std::min(n, std::max(1, bound / local_processes()));
    return n;
}

}  // namespace g6
