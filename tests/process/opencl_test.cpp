// SPDX-License-Identifier: MIT
// Faults of backends, and the OpenCL backend on devices of several kinds, each in a process of its
// own.
#include "process.h"

namespace g6test {
namespace {

class OpenCl : public Process {
protected:
    void SetUp() override
    {
        Process::SetUp();
        const std::string why = why_not("opencl");
        if (!why.empty()) GTEST_SKIP() << "opencl: " << why;
    }
    Result opencl(const std::string &variables) const
    {
        return probe("G6_BACKEND=opencl G6_LOG=warn " + variables);
    }
    // The cpu computes, and this is why.
    void expect_refused(const std::string &variables, const std::string &why) const
    {
        const Result r = opencl(variables);
        EXPECT_TRUE(r.says(kRight) && r.says(" backend=cpu ")) << r.out;
        EXPECT_TRUE(r.tells(why)) << r.err;
        EXPECT_TRUE(r.tells("; going on with the cpu")) << r.err;
    }
};

constexpr const char *kOnOpenCl = " backend=opencl ", *kOnCpu = " backend=cpu ";

int lines_of_ours(const std::string &text)
{
    int n = 0;
    for (size_t at = 0; (at = text.find("g6gpu ", at)) != std::string::npos; ++at)
        n += at == 0 || text[at - 1] == '\n';
    return n;
}

// ---- faults

// A backend with its settings, a variant of its kernels and a fault.  Each in a process of its own:
// a trap kills the whole context of CUDA.
class Fault : public Process,
              public testing::WithParamInterface<
                  std::tuple<const char *, const char *, const char *, const char *>> {};

TEST_P(Fault, ends_on_the_cpu_with_the_right_result_and_one_line)
{
    const auto &[backend, settings, variant, fault] = GetParam();
    const std::string why = why_not(backend);
    if (!why.empty()) GTEST_SKIP() << backend << ": " << why;
    const Result r = probe(std::string("G6_LOG=warn G6_BACKEND=") + backend + settings +
                           " G6_DEBUG=fault=" + fault + variant);
    EXPECT_TRUE(r.says(kRight)) << r.out;
    EXPECT_TRUE(r.says(kOnCpu)) << r.out;
    EXPECT_EQ(r.says(" mode=treewalk "), *settings != 0) << r.out;
    EXPECT_TRUE(r.tells(std::string(backend) == "cuda" ? "going on with cpu" : "injected"))
        << r.err;
    EXPECT_EQ(lines_of_ours(r.err), 1) << r.err;
}

INSTANTIATE_TEST_SUITE_P(
    OpenCl, Fault,
    testing::Combine(testing::Values("opencl"), testing::Values(""),
                     testing::Values("", ",opencl_fp64=0"),
                     testing::Values("open:1:memory", "open:1:lost", "open:1:build",
                                     "reserve:1:memory", "reserve:1:lost", "stage:1:memory",
                                     "start:1:memory", "start:1:lost", "start:1:build",
                                     "finish:1:memory", "finish:1:lost", "neighbours:1:lost")));

// There is nothing to reserve and to stage: the core has the particles.
INSTANTIATE_TEST_SUITE_P(
    OpenClTree, Fault,
    testing::Combine(testing::Values("opencl"), testing::Values(" G6_MODE=treewalk G6_DIRECT=0"),
                     testing::Values("", ",opencl_fp64=0", ",opencl_shape=16x4x2"),
                     testing::Values("open:1:memory", "start:1:memory", "start:1:lost",
                                     "start:1:build", "finish:1:memory", "finish:1:lost",
                                     "neighbours:1:lost")));

INSTANTIATE_TEST_SUITE_P(Cuda, Fault,
                         testing::Combine(testing::Values("cuda"), testing::Values(""),
                                          testing::Values(""),
                                          testing::Values("reserve:1:memory", "stage:1:memory",
                                                          "start:1:memory", "finish:1:memory",
                                                          "start:1:trap", "finish:1:trap")));

TEST_F(OpenCl, walks_trees_itself)
{
    for (const char *fp64 : {"", " G6_DEBUG=opencl_fp64=0"}) {
        const Result r = opencl(std::string("G6_MODE=treewalk G6_DIRECT=0") + fp64);
        EXPECT_TRUE(r.says(kRight) && r.says(kOnOpenCl)) << r.out;
        EXPECT_EQ(r.err, "");
    }
}

TEST_F(OpenCl, without_doubles_the_precision_double_goes_elsewhere)
{
    expect_refused("G6_DEBUG=opencl_fp64=0 G6_PRECISION=double", "cl_khr_fp64");
}

TEST_F(OpenCl, a_device_that_is_not_exact_is_refused)
{
    for (const char *fp64 : {"1", "0"})
        expect_refused(std::string("'G6_DEBUG=opencl_fp64=") + fp64 +
                           ",opencl_options=-DG6_EXACT_FMA(a,b,c)=((a)*(b)+(c))'",
                       "exactness test: a fused multiply-add");
    expect_refused("'G6_DEBUG=opencl_options=-DG6_LOW_PARTS(j,i)=((j)*0.0f-(i)*0.0f)'",
                   "exactness test: a difference of positions");
}

// Whatever the driver makes of them: right, or refused.
TEST_F(OpenCl, options_that_allow_inexact_arithmetic_do_no_harm)
{
    for (const char *option : {"-cl-fast-relaxed-math", "-cl-denorms-are-zero"}) {
        const Result r = opencl("G6_DEBUG=opencl_options=" + std::string(option));
        EXPECT_TRUE(r.says(kRight)) << option << ": " << r.out;
        EXPECT_TRUE(r.says(kOnOpenCl) || r.err.find("exactness") != std::string::npos)
            << option << ": " << r.out << r.err;
    }
}

// ---- whole processes

TEST_F(OpenCl, several_processes_may_start_at_once)
{
    const std::string start = "(cd " + folder +
                              " && env G6_BACKEND=opencl XDG_CACHE_HOME=" + folder + " " +
                              program_beside("g6test-probe") + " run > out";
    std::string all;
    for (int k = 0; k < 4; ++k) all += start + std::to_string(k) + " 2>&1) & ";
    ASSERT_EQ(std::system((all + "wait").c_str()), 0);
    for (int k = 0; k < 4; ++k) {
        const std::string out = " " + bytes_of(folder + "/out" + std::to_string(k));
        EXPECT_NE(out.find(kRight), std::string::npos) << out;
        EXPECT_NE(out.find(kOnOpenCl), std::string::npos) << out;
    }
}

TEST_F(OpenCl, devices_are_chosen_by_name)
{
    const std::string part = std::string(devices_of("opencl").at(0).name).substr(0, 6);
    const Result r = opencl("'G6_DEVICES=" + part + "'");
    EXPECT_TRUE(r.says(kRight) && r.says(kOnOpenCl)) << r.out;
    EXPECT_EQ(r.err, "");
}

// These very tests, in a process where PoCL offers its processor twice.
TEST_F(OpenCl, several_devices_compute_as_one)
{
    const std::string tests = "Treewalk.opening*/opencl_mixed_all:Treewalk.bits*/opencl_mixed_all:"
                              "DivisionOfBlocks.of_direct_sums/opencl_double";
    const std::string run =
        "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX POCL_DEVICES='pthread pthread' " +
        program_beside("g6test") + " --gtest_filter='" + tests + "' > " + folder + "/out 2>&1";
    EXPECT_EQ(std::system(run.c_str()), 0) << bytes_of(folder + "/out");
    EXPECT_NE(bytes_of(folder + "/out").find("[  PASSED  ] 3 tests"), std::string::npos);
}

}  // namespace
}  // namespace g6test
