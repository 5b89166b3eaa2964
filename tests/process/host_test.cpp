// SPDX-License-Identifier: MIT
// Blocks on the cpu in children of processes with threads.
#include "process.h"

namespace g6test {
namespace {

class HostOf : public Process, public testing::WithParamInterface<const char *> {
protected:
    std::string mode() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(, HostOf, testing::Values("hermite", "treewalk"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(HostOf, a_child_computes_as_its_parent_does)
{
    EXPECT_TRUE(probe("", "forked " + mode()).says("before=1 child=1 after=1"));
}

TEST_P(HostOf, a_child_computes_when_the_application_had_threads_and_the_library_none)
{
    EXPECT_TRUE(probe("", "forked-from-threads " + mode()).says("before=1 child=1 after=1"));
}

TEST_P(HostOf, a_child_computes_when_another_thread_was_opening_a_cluster)
{
    const Result r = probe("G6_BACKEND=cpu G6_LOG=info", "forked-while-opening " + mode());
    EXPECT_TRUE(r.says("before=1 child=1 after=1")) << r.out << r.err;
}

}  // namespace
}  // namespace g6test
