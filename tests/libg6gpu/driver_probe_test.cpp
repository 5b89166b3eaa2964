// SPDX-License-Identifier: MIT
// What the library does when a driver starts, fails to start, or hangs.  Programs of the system
// take the place of g6probe: they print their argument, wait, or do not exist.
#include "libg6gpu/core/driver_probe.h"
#include "tests/child.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace g6 {
namespace {

const std::string kEcho = "/bin/echo";
const std::string kGood = kProbeAnswer + std::string(kProbeGpu);

TEST(DriverProbe, tells_a_gpu_from_none)
{
    const DriverProbe with = probe_driver(kEcho, kGood);
    EXPECT_TRUE(with.good());
    EXPECT_TRUE(with.gpu);
    const DriverProbe without = probe_driver(kEcho, kProbeAnswer + std::string(kProbeNoGpu));
    EXPECT_TRUE(without.good());
    EXPECT_FALSE(without.gpu);
}

TEST(DriverProbe, knows_nothing_without_the_program)
{
    const DriverProbe probe = probe_driver("/no/such/program", "file");
    EXPECT_FALSE(probe.answered);
    EXPECT_FALSE(probe.good());
    EXPECT_EQ(probe.trouble, "");
}

TEST(DriverProbe, says_how_the_driver_ended_the_program)
{
    EXPECT_EQ(probe_driver(kEcho, "bus not found").trouble,
              "its driver ends the program that starts it (exit status 0: bus not found)");
    EXPECT_EQ(probe_driver("/bin/false", "").trouble,
              "its driver ends the program that starts it (exit status 1)");
}

TEST(DriverProbe, ends_a_driver_that_does_not_answer)
{
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(probe_driver("/bin/sleep", "1000", 1).trouble,
              "its driver does not answer within 1 s");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(100));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no child is left
}

// A client may have no interest in its children: the system takes them away then.
TEST(DriverProbe, needs_no_exit_status)
{
    auto before = std::signal(SIGCHLD, SIG_IGN);
    EXPECT_TRUE(probe_driver(kEcho, kGood).gpu);
    EXPECT_EQ(probe_driver("/bin/false", "").trouble,
              "its driver ends the program that starts it (its status is not known)");
    std::signal(SIGCHLD, before);
}

// A daemon has closed the first three descriptors, which the pipe gets then.
TEST(DriverProbe, needs_no_open_standard_files)
{
    EXPECT_TRUE(g6test::good_in_a_child([] {
        for (int k = 0; k < 3; ++k) close(k);
        const DriverProbe probe = probe_driver(kEcho, kGood);
        return probe.good() && probe.gpu;
    }));
}

}  // namespace
}  // namespace g6
