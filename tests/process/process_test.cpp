// SPDX-License-Identifier: MIT
// Settings of a whole process, from environment variables and the configuration file; silence; the
// end of the process.
#include "process.h"

#include <algorithm>

namespace g6test {
namespace {

TEST_F(Process, without_any_setting_has_the_documented_defaults_and_is_silent)
{
    const Result r = probe("");
    // npipes: the hardware's.  x: with a2by18.
    for (const char *part :
         {" npipes=48,48 ", kRight, " alone=0 ", " self=0 ", " x=2.75 ", " precision=mixed "})
        EXPECT_TRUE(r.says(part)) << part << r.out;
    EXPECT_EQ(r.err, "");
}

TEST_F(Process, ends_cleanly_without_g6_close)
{
    for (const char *backend : {"cpu", "opencl", "cuda"}) {
        if (!why_not(backend).empty()) continue;
        const Result r = probe(std::string("G6_LOG=warn G6_BACKEND=") + backend, "leave");
        EXPECT_TRUE(r.says(kRight)) << r.out;
        EXPECT_TRUE(r.says(std::string(" backend=") + backend + " ")) << r.out;
        EXPECT_EQ(r.err, "");
    }
}

// Codes that were written for sapporo say so by its name or by its way in.
TEST_F(Process, a_program_linked_with_sapporo_gets_the_profile_gpu)
{
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "AddressSanitizer must be loaded before any LD_PRELOAD";
#endif
    const std::string name = folder + "/libsapporo.so";
    ASSERT_EQ(symlink((build_folder() + "/lib/libg6gpu.so").c_str(), name.c_str()), 0);
    EXPECT_TRUE(probe("LD_PRELOAD=" + name).says(" npipes=16384,16384 "));
    EXPECT_TRUE(probe("LD_PRELOAD=" + name + " G6_PROFILE=grape6").says(" npipes=48,48 "));
    EXPECT_TRUE(probe("LD_PRELOAD=" + name + " G6_NPIPES=16").says(" npipes=16,16 "));
}

TEST_F(Process, a_program_that_begins_with_open_special_gets_the_profile_gpu)
{
    const Result r = probe("", "special");
    EXPECT_TRUE(r.says("special=0,0,0,0 acc=0.2500,0.2500,0.2500")) << r.out << r.err;
    EXPECT_TRUE(r.says(" npipes=16384 ")) << r.out;
    EXPECT_TRUE(probe("G6_PROFILE=grape6", "special").says(" npipes=48 "));
}

TEST_F(Process, a_bad_value_is_reported_with_the_allowed_ones_and_never_fatal)
{
    const char *const bad[][3] = {{"G6_PRECISION", "exact", "mixed"},
                                  {"G6_MODE", "fast", "hermite"},
                                  {"G6_PROFILE", "grape9", "grape6"},
                                  {"G6_NEIGHBOUR_SELF", "2", "auto"},
                                  {"G6_NN_NONE", "7", "-1"},
                                  {"G6_SNAP", "maybe", "0"},
                                  {"G6_THREADS", "-3", "256"},
                                  {"G6_STATS", "x", "0"},
                                  {"G6_DEVICES", "0,,1", "parts of names"},
                                  {"G6_NPIPES", "0", "16384"},
                                  {"G6_NPIPES", "16385", "16384"},
                                  {"G6_NPIPES", "many", "16384"},
                                  {"G6_NPIPES", "99999999999999999999", "16384"}};
    for (const auto &b : bad) {
        const std::string setting = std::string(b[0]) + "=" + b[1];
        const Result r = probe(setting);
        EXPECT_TRUE(r.says(kRight)) << setting << ": " << r.out;
        EXPECT_TRUE(r.says(" npipes=48,48 ")) << setting << ": " << r.out;
        EXPECT_TRUE(r.tells(setting)) << setting << ": " << r.err;
        EXPECT_TRUE(r.tells(b[2])) << setting << ": " << r.err;
        EXPECT_EQ(probe("G6_LOG=none " + setting).err, "");
    }
}

TEST_F(Process, a_backend_without_a_file_is_reported_with_the_file_the_folder_and_the_choices)
{
    const Result r = probe("G6_BACKEND=gpu G6_LOG=warn G6_BACKEND_DIR=" + folder);
    EXPECT_TRUE(r.says(kRight)) << r.out;
    EXPECT_TRUE(r.tells("no file g6_gpu.so in " + folder + "; there are: auto, ")) << r.err;
    EXPECT_TRUE(r.tells(", cpu; going on with the cpu")) << r.err;
}

TEST_F(Process, a_file_may_hold_the_settings_and_the_environment_overrides_it)
{
    write("settings",
          "# of this cluster\nnpipes = 96\nG6_PRECISION=double\n\n nn_none = -1 # alone\n");
    const Result r = probe("G6_CONFIG=settings");
    EXPECT_TRUE(r.says(" npipes=96,96 ")) << r.out;
    EXPECT_TRUE(r.says(" precision=double ")) << r.out;
    EXPECT_TRUE(r.says(" alone=-1 ")) << r.out;
    EXPECT_TRUE(probe("G6_CONFIG=settings G6_NPIPES=64").says(" npipes=64,64 "));
}

TEST_F(Process, a_bad_settings_file_is_reported_and_never_fatal)
{
    write("settings", "npipes = 96\npresicion = double\njust words\nmode = sideways\n");
    const Result r = probe("G6_LOG=warn G6_CONFIG=settings");
    EXPECT_TRUE(r.says(" npipes=96,96 ")) << r.out;
    EXPECT_TRUE(r.says(kRight)) << r.out;
    for (const char *part : {"presicion", "just words", "sideways"})
        EXPECT_TRUE(r.tells(part)) << part << ": " << r.err;
}

TEST_F(Process, files_of_the_current_folder_are_never_read)
{
    ASSERT_EQ(std::system(("mkdir " + folder + "/g6gpu").c_str()), 0);
    for (const char *name : {"g6_cuda.so", "g6gpu/g6_cuda.so", ".g6gpu", "g6gpu.conf", "config"})
        write(name, "npipes=3\n");
    const Result r = probe("G6_LOG=debug");
    EXPECT_TRUE(r.says(" npipes=48,48 ")) << r.out;
    EXPECT_EQ(r.err.find(folder), std::string::npos) << r.err;
}

TEST_F(Process, log_and_statistics_go_to_stderr_and_never_to_stdout)
{
    EXPECT_NE(probe("G6_LOG=debug").err, "");  // probe() looks at stdout
    const Result r = probe("G6_STATS=1");
    EXPECT_NE(r.err, "");
    EXPECT_EQ(probe("G6_LOG=error").err, "");
}

// A code that ignores status codes still sees what went wrong: one line for each kind of event.
TEST_F(Process, refused_calls_are_told_once_a_kind)
{
    for (const char *what : {"refused", "refused-leave"}) {  // with and without g6_close
        const Result r = probe("", what);
        const std::vector<std::string> parts = {
            "g6gpu error: g6_set_j_particle: j-particle at address 0: a value is NaN",
            "g6gpu error: g6calc_firsthalf: the position of i-particle 0"};
        for (const std::string &part : parts)
            EXPECT_TRUE(r.tells(part)) << part << " in\n" << r.err;
        EXPECT_LE(std::count(r.err.begin(), r.err.end(), '\n'), 6) << r.err;
        EXPECT_EQ(probe("G6_LOG=none", what).err, "");
    }
}

TEST_F(Process, each_misspelt_setting_has_a_line)
{
    const Result r = probe("G6_MODE=treewlk G6_DEBUG=laef=3 G6_BACKED=cpu", "misspelt");
    const auto lines_with = [&](const std::string &part) {
        int lines = 0;
        for (size_t at = 0, end; at < r.err.size(); at = end + 1) {
            end = std::min(r.err.find('\n', at), r.err.size());
            const std::string line = r.err.substr(at, end - at);
            EXPECT_EQ(line.rfind("g6gpu error: ", 0), 0u) << line;
            lines += line.find(part) != std::string::npos;
        }
        return lines;
    };
    EXPECT_EQ(lines_with("error: g6_open: G6_MODE=treewlk is not one of"), 1) << r.err;
    EXPECT_EQ(lines_with("error: g6_open: G6_DEBUG=laef=3: there is no key \"laef\""), 1) << r.err;
    EXPECT_EQ(lines_with("error: g6_open: G6_BACKED is no setting"), 1) << r.err;
    EXPECT_EQ(lines_with("error: g6_set_option: debug cannot be \"lief=3\""), 1) << r.err;
    EXPECT_EQ(lines_with("error: g6_set_option: debug cannot be \"fualt=1\""), 1) << r.err;
    // Three lines of g6_open and two of debug leave eleven of sixteen kinds to the angles.
    EXPECT_EQ(lines_with("error: g6_set_option: theta cannot be"), 12) << r.err;
    // Other events keep their lines.
    EXPECT_EQ(lines_with("error: g6_set_j_particle: j-particle at address 0"), 1) << r.err;
    EXPECT_TRUE(r.says("acc=0.2500")) << r.out;
}

// ---- blocks on the cpu in children of processes with threads

class HostOf : public Process, public testing::WithParamInterface<const char *> {
protected:
    std::string mode() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(, HostOf, testing::Values("hermite", "treewalk"),
                         [](const auto &info) { return std::string(info.param); });

// Also when the application had threads, and the library none.
TEST_P(HostOf, a_child_computes_as_its_parent_does)
{
    for (const char *what : {"forked ", "forked-from-threads "})
        EXPECT_TRUE(probe("", what + mode()).says("before=1 child=1 after=1")) << what;
}

TEST_P(HostOf, a_child_computes_when_another_thread_was_opening_a_cluster)
{
    const Result r = probe("G6_BACKEND=cpu G6_LOG=info", "forked-while-opening " + mode());
    EXPECT_TRUE(r.says("before=1 child=1 after=1")) << r.out << r.err;
}

TEST_F(Process, a_child_reads_its_settings_when_another_thread_was_reading_them)
{
    std::ofstream file(folder + "/settings");
    for (int k = 0; k < 500000; k++) file << "# a comment\n";
    file.close();
    const Result r = probe("G6_CONFIG=settings", "forked-while-reading");
    EXPECT_TRUE(r.says("all=1")) << r.out << r.err;
}

}  // namespace
}  // namespace g6test
