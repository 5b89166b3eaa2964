// SPDX-License-Identifier: MIT
// Loops of the library together with those of its client: OpenMP regions of other sizes, and
// g6_parallel().
#include "libg6gpu/base/host_threads.h"
#include "libg6gpu/base/processors.h"
#include "libg6gpu/base/thread_pool.h"
#include "../client.h"
#include "settings.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <gtest/gtest.h>
#include <initializer_list>
#include <sched.h>
#include <set>
#include <unistd.h>
#include <vector>

namespace g6test {
namespace {

using namespace g6;

#ifdef _OPENMP
TEST(ClientLoops, leave_the_library_one_thread_within_a_parallel_region)
{
    int most = 0;
#pragma omp parallel num_threads(2) reduction(max : most)
    {
        most = pool_threads(4);
        // Numbered from 0, whatever the number of the application's thread.
        parallel_shares(1, 2, [&](int, int thread) { most = std::max(most, thread + 1); });
    }
    EXPECT_EQ(most, 1);
}

std::set<std::filesystem::path> threads_of_process()
{
    std::set<std::filesystem::path> found;
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task"))
        found.insert(task.path());
    return found;
}

// The first calls start all threads that blocks of any size and the client's regions need.
TEST(ClientLoops, start_no_thread_after_the_first_block)
{
    std::vector<Body> bodies = moving_bodies(3000, 1);
    const int n = static_cast<int>(bodies.size());
    Client client({"cpu", "mixed", "", ""});
    client.option("threads", "4");
    client.set_all(bodies);
    const auto step = [&](int ni) {
        client.set_ti(0);
        client.run(block_of(bodies, 0, ni, 0), n, Half::kLast);
#pragma omp parallel num_threads(3)
        {
        }
    };
    step(1000);
    const auto first = threads_of_process();
    EXPECT_GE(first.size(), 4u);
    for (int ni : {1, 500, 20, 1000, 3, 200}) step(ni);
    EXPECT_EQ(threads_of_process(), first);
}
#endif

TEST(ClientLoops, run_each_number_once_on_the_library_s_threads)
{
    for (int n : {0, 1, 7, 100, 1000})
        for (int size : {1, 3, 100, 5000}) {
            std::vector<std::atomic<int>> done(static_cast<size_t>(n));
            struct Seen {
                std::vector<std::atomic<int>> &done;
                std::atomic<int> largest{0};
            } seen{done, {}};
            const auto part = [](int first, int end, void *user) {
                Seen &s = *static_cast<Seen *>(user);
                if (end - first > s.largest) s.largest = end - first;
                for (int k = first; k < end; k++) s.done.at(static_cast<size_t>(k))++;
            };
            EXPECT_EQ(g6_parallel(n, size, part, &seen), 0);
            EXPECT_LE(seen.largest, size);
            for (const auto &times : done) EXPECT_EQ(times, 1);
        }
}

TEST(ClientLoops, refuse_what_makes_no_sense)
{
    const auto part = [](int, int, void *user) { ++*static_cast<int *>(user); };
    int calls = 0;
    EXPECT_EQ(g6_parallel(-1, 1, part, &calls), G6_ERR_ARGUMENT);
    EXPECT_EQ(g6_parallel(1, 0, part, &calls), G6_ERR_ARGUMENT);
    EXPECT_EQ(g6_parallel(1, 1, nullptr, &calls), G6_ERR_ARGUMENT);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(g6_parallel(2147483647, 2147483647, part, &calls), 0);
    EXPECT_EQ(calls, 1);
}

// ---- how many processors a process takes, by variables of the environment

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
