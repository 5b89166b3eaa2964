// SPDX-License-Identifier: MIT
// The OpenCL backend in processes of its own: faults, devices that are not exact, the cache of
// compiled kernels.
#include "process.h"

#include <cstdint>
#include <cstring>
#include <dirent.h>
#include <map>
#include <sys/stat.h>
#include <vector>

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
        return probe("G6_BACKEND=opencl " + variables);
    }
    // With a cache of its own; PoCL's stays, for speed and because PoCL refuses to go without.
    std::string cache(const std::string &name = "cache") const
    {
        const char *common = std::getenv("XDG_CACHE_HOME");
        return "XDG_CACHE_HOME=" + folder + "/" + name + " POCL_CACHE_DIR='" +
               (common ? common : folder) + "/pocl/kcache' ";
    }
    // File names and contents of a cache.
    std::map<std::string, std::string> files(const std::string &name = "cache") const
    {
        std::map<std::string, std::string> found;
        const std::string place = folder + "/" + name + "/g6gpu";
        if (DIR *dir = opendir(place.c_str())) {
            while (const dirent *entry = readdir(dir))
                if (entry->d_name[0] != '.')
                    found[entry->d_name] = text_of(place + "/" + entry->d_name);
            closedir(dir);
        }
        return found;
    }
    // Makes each file of the cache what damage returns for it.
    template <class F> void damage(F &&f) const
    {
        for (const auto &[name, text] : files()) write("cache/g6gpu/" + name, f(text));
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

class OpenClFault : public OpenCl, public testing::WithParamInterface<const char *> {};

TEST_P(OpenClFault, ends_on_the_cpu_with_the_right_result_and_one_line)
{
    for (const char *fp64 : {"", ",opencl_fp64=0"}) {
        const Result r = opencl(std::string("G6_LOG=warn G6_DEBUG=fault=") + GetParam() + fp64);
        EXPECT_TRUE(r.says(kRight)) << r.out;
        EXPECT_TRUE(r.says(kOnCpu)) << r.out;
        EXPECT_TRUE(r.tells("injected")) << r.err;
        EXPECT_EQ(lines_of_ours(r.err), 1) << r.err;
    }
}

INSTANTIATE_TEST_SUITE_P(, OpenClFault,
                         testing::Values("open:1:memory", "open:1:lost", "open:1:build",
                                         "reserve:1:memory", "reserve:1:lost", "stage:1:memory",
                                         "start:1:memory", "start:1:lost", "start:1:build",
                                         "finish:1:memory", "finish:1:lost", "neighbours:1:lost"));

// There is nothing to reserve and to stage: the core has the particles.
class OpenClTreeFault : public OpenCl, public testing::WithParamInterface<const char *> {};

TEST_P(OpenClTreeFault, ends_on_the_cpu_with_the_right_result_and_one_line)
{
    for (const char *fp64 : {"", ",opencl_fp64=0", ",opencl_shape=16x4x2"}) {
        const Result r =
            opencl(std::string("G6_MODE=treewalk G6_DIRECT=0 G6_LOG=warn G6_DEBUG=fault=") +
                   GetParam() + fp64);
        EXPECT_TRUE(r.says(kRight)) << r.out;
        EXPECT_TRUE(r.says(kOnCpu)) << r.out;
        EXPECT_TRUE(r.says(" mode=treewalk ")) << r.out;
        EXPECT_TRUE(r.tells("injected")) << r.err;
        EXPECT_EQ(lines_of_ours(r.err), 1) << r.err;
    }
}

INSTANTIATE_TEST_SUITE_P(, OpenClTreeFault,
                         testing::Values("open:1:memory", "start:1:memory", "start:1:lost",
                                         "start:1:build", "finish:1:memory", "finish:1:lost",
                                         "neighbours:1:lost"));

TEST_F(OpenCl, walks_trees_itself)
{
    for (const char *fp64 : {"", " G6_DEBUG=opencl_fp64=0"}) {
        const Result r = opencl(std::string("G6_MODE=treewalk G6_DIRECT=0 G6_LOG=warn") + fp64);
        EXPECT_TRUE(r.says(kRight) && r.says(kOnOpenCl)) << r.out;
        EXPECT_EQ(r.err, "");
    }
}

TEST_F(OpenCl, without_doubles_the_precision_double_goes_elsewhere)
{
    const Result r = opencl("G6_LOG=warn G6_DEBUG=opencl_fp64=0 G6_PRECISION=double");
    EXPECT_TRUE(r.says(kRight)) << r.out;
    EXPECT_TRUE(r.says(kOnCpu)) << r.out;
    EXPECT_TRUE(r.tells("cl_khr_fp64")) << r.err;
    EXPECT_TRUE(r.tells("; going on with the cpu")) << r.err;
}

// ---- exactness

TEST_F(OpenCl, a_device_that_does_not_fuse_multiply_adds_is_refused)
{
    for (const char *fp64 : {"1", "0"}) {
        const Result r = opencl(std::string("G6_LOG=warn 'G6_DEBUG=opencl_fp64=") + fp64 +
                                ",opencl_options=-DG6_EXACT_FMA(a,b,c)=((a)*(b)+(c))'");
        EXPECT_TRUE(r.says(kRight)) << r.out;
        EXPECT_TRUE(r.says(kOnCpu)) << r.out;
        EXPECT_TRUE(r.tells("exactness test: a fused multiply-add")) << r.err;
    }
}

TEST_F(OpenCl, a_device_that_loses_low_parts_is_refused)
{
    const Result r =
        opencl("G6_LOG=warn 'G6_DEBUG=opencl_options=-DG6_LOW_PARTS(j,i)=((j)*0.0f-(i)*0.0f)'");
    EXPECT_TRUE(r.says(kRight)) << r.out;
    EXPECT_TRUE(r.says(kOnCpu)) << r.out;
    EXPECT_TRUE(r.tells("exactness test: a difference of positions")) << r.err;
}

// Whatever the driver makes of them: right, or refused.
TEST_F(OpenCl, options_that_allow_inexact_arithmetic_do_no_harm)
{
    for (const char *option : {"-cl-fast-relaxed-math", "-cl-denorms-are-zero"}) {
        const Result r = opencl("G6_LOG=warn G6_DEBUG=opencl_options=" + std::string(option));
        EXPECT_TRUE(r.says(kRight)) << option << ": " << r.out;
        EXPECT_TRUE(r.says(kOnOpenCl) || r.err.find("exactness") != std::string::npos)
            << option << ": " << r.out << r.err;
    }
}

// ---- the cache of compiled kernels

TEST_F(OpenCl, kernels_are_compiled_once)
{
    EXPECT_TRUE(opencl(cache()).says(kOnOpenCl));
    const auto first = files();
    EXPECT_GE(first.size(), 4u);  // check, support, predict, force
    // A file that is built again appears by rename: as another inode.
    const std::string inodes = "ls -i " + folder + "/cache/g6gpu > " + folder + "/";
    ASSERT_EQ(std::system((inodes + "before").c_str()), 0);
    EXPECT_TRUE(opencl(cache()).says(kOnOpenCl));
    ASSERT_EQ(std::system((inodes + "after").c_str()), 0);
    EXPECT_EQ(text_of(folder + "/before"), text_of(folder + "/after"));
    EXPECT_EQ(files(), first);
    // Other options, other files.
    EXPECT_TRUE(opencl(cache() + "G6_DEBUG=opencl_options=-DG6_OF_NO_USE").says(kOnOpenCl));
    EXPECT_EQ(files().size(), 2 * first.size());
}

// A file of the cache: what it says of itself, the key, the binary.
struct CacheFile {
    struct Header {
        char magic[8];
        std::uint64_t key_bytes, binary_bytes, checksum;
    };
    std::string key, binary;

    explicit CacheFile(const std::string &text)
    {
        Header h;
        std::memcpy(&h, text.data(), sizeof h);
        key = text.substr(sizeof h, h.key_bytes);
        binary = text.substr(sizeof h + h.key_bytes);
    }
    // With the checksum that fits.
    std::string text() const
    {
        Header h{{'g', '6', 'c', 'l', 'b', 'i', 'n', '1'}, key.size(), binary.size(), 0};
        h.checksum = 0xcbf29ce484222325;
        for (const char c : key + binary)
            h.checksum = (h.checksum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        return std::string(reinterpret_cast<char *>(&h), sizeof h) + key + binary;
    }
};

// The driver takes them, but they lack the kernels.
TEST_F(OpenCl, sound_binaries_of_other_programs_are_built_again)
{
    EXPECT_TRUE(opencl(cache()).says(kOnOpenCl));
    const auto good = files();
    ASSERT_GE(good.size(), 2u);
    std::string other = CacheFile(good.rbegin()->second).binary;
    damage([&](const std::string &text) {
        CacheFile file(text);
        std::swap(file.binary, other);
        return file.text();
    });
    const auto bad = files();
    const Result r = opencl("G6_LOG=warn " + cache());
    EXPECT_TRUE(r.says(kRight) && r.says(kOnOpenCl)) << r.out << r.err;
    EXPECT_EQ(r.err, "");
    for (const auto &[name, text] : files()) EXPECT_NE(text, bad.at(name)) << name;
}

TEST_F(OpenCl, several_processes_may_start_at_once)
{
    const std::string start = "(cd " + folder + " && env G6_BACKEND=opencl " + cache() +
                              program_beside("g6test-probe") + " run > out";
    std::string all;
    for (int k = 0; k < 4; ++k) all += start + std::to_string(k) + " 2>&1) & ";
    ASSERT_EQ(std::system((all + "wait").c_str()), 0);
    for (int k = 0; k < 4; ++k) {
        const std::string out = " " + text_of(folder + "/out" + std::to_string(k));
        EXPECT_NE(out.find(kRight), std::string::npos) << out;
        EXPECT_NE(out.find(kOnOpenCl), std::string::npos) << out;
    }
    const auto left = files();
    EXPECT_GE(left.size(), 4u);
    for (const auto &file : left)
        EXPECT_EQ(file.first.find(".new"), std::string::npos) << file.first;
    EXPECT_TRUE(opencl(cache()).says(kOnOpenCl));
    EXPECT_EQ(files(), left);  // every one of them sound
}

// ---- whole processes

TEST_F(OpenCl, a_process_ends_cleanly_without_g6_close)
{
    const Result r = probe("G6_BACKEND=opencl G6_LOG=warn", "leave");
    EXPECT_TRUE(r.says(kRight) && r.says(kOnOpenCl)) << r.out;
    EXPECT_EQ(r.err, "");
}

TEST_F(OpenCl, devices_are_chosen_by_name)
{
    g6_device_info info{};
    info.size = sizeof info;
    g6_backend_info backend{};
    backend.size = sizeof backend;
    int n = 0;
    while (g6_get_backend_info(n, &backend) == 0 && std::string(backend.name) != "opencl") ++n;
    ASSERT_EQ(g6_get_device_info(n, 0, &info), 0);
    const std::string part = std::string(info.name).substr(0, 6);
    const Result r = opencl("G6_LOG=warn 'G6_DEVICES=" + part + "'");
    EXPECT_TRUE(r.says(kRight) && r.says(kOnOpenCl)) << r.out;
    EXPECT_EQ(r.err, "");
}

// These very tests, in a process where PoCL offers its processor twice.
TEST_F(OpenCl, several_devices_walk_one_tree)
{
    const std::string tests =
        "Treewalk.particles*/opencl_mixed_all:Treewalk.direct*/opencl_mixed_all";
    const std::string run = "POCL_DEVICES='pthread pthread' " + program_beside("g6test") +
                            " --gtest_filter='" + tests + "' > " + folder + "/out 2>&1";
    EXPECT_EQ(std::system(run.c_str()), 0) << text_of(folder + "/out");
}

}  // namespace
}  // namespace g6test
