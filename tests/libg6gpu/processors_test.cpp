// SPDX-License-Identifier: MIT
// How many processors a process takes, by variables of the environment.
#include "libg6gpu/base/processors.h"
#include "settings.h"

#include <sched.h>
#include <unistd.h>

namespace g6test {
namespace {

TEST(Processors, are_as_many_as_the_environment_leaves)
{
    unsetenv("OMP_NUM_THREADS");
    const int n = g6::own_processors();
    EXPECT_EQ(g6::own_processors(1), std::max(1, n - 1));
    EXPECT_EQ(g6::own_processors(n), 1);
    for (const auto &[text, expected] :
         {std::pair{"1", 1}, {"1,4", 1}, {"100000", n}, {"0", n}, {"-2", n}, {"many", n}}) {
        const Variable variable("OMP_NUM_THREADS", text);
        EXPECT_EQ(g6::own_processors(), expected) << text;
    }
    cpu_set_t set;
    ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
    const bool bound = CPU_COUNT(&set) < sysconf(_SC_NPROCESSORS_ONLN);
    for (const char *name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PMI_LOCAL_SIZE"}) {
        const Variable variable(name, "100000");
        EXPECT_EQ(g6::own_processors(), bound ? n : 1) << name;
    }
}

}  // namespace
}  // namespace g6test
