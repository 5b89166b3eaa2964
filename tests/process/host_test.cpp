// SPDX-License-Identifier: MIT
// Blocks on the cpu in processes that lack threads or memory.
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
    EXPECT_TRUE(probe("", "forked " + mode()).says("before=1 child=0 after=1"));
}

TEST_P(HostOf, a_child_computes_when_the_application_had_threads_and_the_library_none)
{
    EXPECT_TRUE(probe("", "forked-from-threads " + mode()).says("before=1 child=0 after=1"));
}

TEST_P(HostOf, a_child_computes_when_another_thread_was_opening_a_cluster)
{
    const Result r = probe("G6_BACKEND=cpu G6_LOG=info", "forked-while-opening " + mode());
    EXPECT_TRUE(r.says("before=1 child=0 after=1")) << r.out << r.err;
}

TEST_P(HostOf, a_child_computes_when_other_threads_made_the_first_calls)
{
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "a child of fork() may wait for AddressSanitizer's own lock on memory, which "
                    "another thread of the parent held";
#endif
    const Result r = probe("G6_LOG=none", "forked-at-first-calls " + mode());
    EXPECT_TRUE(r.says("right=60 of 60")) << r.out << r.err;
}

// OpenMP ends the process when it cannot start a thread.  No system has memory for such stacks.
TEST_P(HostOf, a_block_is_computed_by_one_thread_where_stacks_are_too_large)
{
#if defined(__clang__)
    GTEST_SKIP() << "LLVM's OpenMP has names of its own for these variables";
#endif
    for (const char *size :
         {"OMP_STACKSIZE=1000000G", "OMP_STACKSIZE=' 1000000000 m '",
          "GOMP_STACKSIZE=1000000000000", "OMP_STACKSIZE=64q GOMP_STACKSIZE=1000000000000",
          "OMP_STACKSIZE= GOMP_STACKSIZE=1000000g"}) {
        SCOPED_TRACE(size);
        const Result r = probe(std::string("G6_THREADS=4 ") + size, "forked " + mode());
        EXPECT_TRUE(r.says("before=1 child=0 after=1")) << r.out << r.err;
    }
}

// From too little for anything to enough for threads and their 8 MiB stacks.
TEST_P(HostOf, a_block_without_memory_gives_an_error_and_the_next_one_is_right)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizer itself ends the program when address space is short";
#elif defined(__clang__)
    GTEST_SKIP() << "LLVM's OpenMP ends the process when it finds no memory";
#endif
    for (int kib : {0, 100, 300, 1000, 3000, 6000, 9000, 20000, 70000}) {
        SCOPED_TRACE(std::to_string(kib) + " KiB");
        const Result r = probe("", "limited " + mode() + " " + std::to_string(kib));
        EXPECT_TRUE(r.says("good=1 after=1")) << r.out << r.err;
    }
}

}  // namespace
}  // namespace g6test
