// SPDX-License-Identifier: MIT
// The table of settings and its parser.
#include "libg6gpu/base/status.h"
#include "libg6gpu/settings/backend_variables.h"
#include "libg6gpu/settings/config.h"
#include "tests/folder.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace g6test {
namespace {

using g6::Config;

// One G6_* variable for the length of a test.
class Variable {
public:
    Variable(const char *name, const std::string &value) : name_(name)
    {
        setenv(name, value.c_str(), 1);
    }
    ~Variable() { unsetenv(name_); }

private:
    const char *name_;
};

int refusal(const std::string &key, const std::string &value)
{
    Config config;
    try {
        g6::set_option(config, key, value);
    } catch (const g6::Error &e) {
        EXPECT_NE(std::string(e.what()).find(key), std::string::npos) << e.what();
        return e.status();
    }
    return G6_OK;
}

TEST(Config, defaults_are_those_of_the_documentation)
{
    std::string problems = "unset";
    const Config c = g6::config_from_environment(&problems);
    EXPECT_EQ(problems, "");
    EXPECT_EQ(c.npipes, 48);
    EXPECT_EQ(c.backend, "auto");
    EXPECT_EQ(c.precision, g6::Precision::kMixed);
    EXPECT_EQ(c.nn_none, 0);
    EXPECT_TRUE(c.snap);
    EXPECT_FALSE(c.stats);
    EXPECT_EQ(c.log, "error");
    EXPECT_EQ(c.profile, "auto");
    EXPECT_FALSE(c.own_in_lists());
    EXPECT_TRUE(c.softened_lists());
}

// What a row prints, it must parse: g6_get_option() and g6_set_option() are inverse.
TEST(Config, every_row_takes_what_it_prints)
{
    for (const g6::OptionRow &row : g6::option_rows()) {
        Config c;
        EXPECT_TRUE(row.parse(c, row.print(c)) || row.print(c).empty())
            << row.key << "=" << row.print(c);
    }
}

TEST(Config, keys_are_found_in_every_form)
{
    for (const char *key : {"precision", "G6_PRECISION", "Precision", "g6_precision"}) {
        Config c;
        EXPECT_NO_THROW(g6::set_option(c, key, "double")) << key;
        EXPECT_EQ(c.precision, g6::Precision::kDouble);
    }
}

TEST(Config, a_refused_value_leaves_the_config_as_it_was)
{
    Config c;
    g6::set_option(c, "nn_none", "-1");
    EXPECT_THROW(g6::set_option(c, "nn_none", "5"), g6::Error);
    EXPECT_EQ(c.nn_none, -1);
    EXPECT_EQ(refusal("threads", "4097"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("threads", "4 threads"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("snap", "2"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("nosuchkey", "1"), G6_ERR_OPTION);
    EXPECT_EQ(refusal("npipes", "48"), G6_ERR_OPTION);  // of the process
}

TEST(Config, names_override_the_profile)
{
    const Variable profile("G6_PROFILE", "grape6");
    EXPECT_EQ(g6::config_from_environment().npipes, 48);
    EXPECT_FALSE(g6::config_from_environment().own_in_lists());
    const Variable pipes("G6_NPIPES", "64");
    EXPECT_EQ(g6::config_from_environment().npipes, 64);
    EXPECT_TRUE(g6::config_from_environment().own_in_lists());
}

// G6_CONFIG names a file with a given text.
class SettingsFile {
public:
    explicit SettingsFile(const std::string &text) { std::ofstream(path()) << text; }
    std::string path() const { return folder_ / "settings"; }

private:
    const Folder folder_;
    const Variable variable_{"G6_CONFIG", path()};
};

TEST(Config, names_override_the_profile_wherever_each_is_given)
{
    {
        const SettingsFile file("npipes = 96\nprofile = grape6\n");
        EXPECT_EQ(g6::config_from_environment().npipes, 96);
        const Variable profile("G6_PROFILE", "grape6");
        EXPECT_EQ(g6::config_from_environment().npipes, 96);
    }
    {
        const SettingsFile file("npipes = 96\nnn_none = 0\n");
        const Variable grape6("G6_PROFILE", "grape6");
        EXPECT_EQ(g6::config_from_environment().npipes, 96);
        const Variable ph4("G6_PROFILE", "ph4");
        EXPECT_EQ(g6::config_from_environment().nn_none, 0);
    }
    {
        const SettingsFile file("profile = grape6\n");
        EXPECT_EQ(g6::config_from_environment().npipes, 48);
        const Variable pipes("G6_NPIPES", "64");
        EXPECT_EQ(g6::config_from_environment().npipes, 64);
    }
}

TEST(Config, a_profile_of_the_environment_takes_the_place_of_the_files)
{
    const SettingsFile file("profile = ph4\nprofile = grape6\n");
    EXPECT_EQ(g6::config_from_environment().profile, "grape6");
    EXPECT_EQ(g6::config_from_environment().nn_none, 0);
    const Variable ph4("G6_PROFILE", "ph4");
    EXPECT_EQ(g6::config_from_environment().npipes, 2048);
    EXPECT_EQ(g6::config_from_environment().nn_none, -1);
    const Variable none("G6_PROFILE", "auto");
    EXPECT_EQ(g6::config_from_environment().npipes, 48);
    EXPECT_EQ(g6::config_from_environment().nn_none, 0);
}

TEST(Config, every_problem_is_named_and_the_rest_is_used)
{
    const Variable a("G6_PRECISION", "exact"), b("G6_NN_NONE", "-1"), c("G6_THREADS", "lots");
    std::string problems;
    const Config config = g6::config_from_environment(&problems);
    EXPECT_EQ(config.nn_none, -1);
    EXPECT_EQ(config.precision, g6::Precision::kMixed);
    for (const char *part :
         {"G6_PRECISION", "exact", "mixed, double", "G6_THREADS", "lots", "4096"})
        EXPECT_NE(problems.find(part), std::string::npos) << part << " in " << problems;
}

TEST(Config, variables_that_are_no_settings_are_named)
{
    const Variable misspelt("G6_BACKENDS", "cpu"), good("G6_THETA", "0.3");
    const Variable others[] = {{"G6_CUDA_GROUP", "8"}, {"G6_OPENCL_FP64", "1"}};
    std::string problems;
    EXPECT_EQ(g6::config_from_environment(&problems).walk.theta, 0.3);
    EXPECT_EQ(problems, "G6_BACKENDS is no setting; g6info lists them");
    for (const char *dropped : {"G6_TUNE", "G6_CURVE"}) {
        const Variable old(dropped, "1");
        g6::config_from_environment(&problems);
        EXPECT_NE(problems.find(dropped + std::string(" is no setting")), std::string::npos);
    }
}

// ---- variables of the backends on GPUs

TEST(BackendVariables, names_that_are_misspelt_are_named_with_those_that_there_are)
{
    const Variable cuda("G6_CUDA_SLICE", "2"), opencl("G6_OPENCL_FP46", "0");
    std::string problems;
    g6::config_from_environment(&problems);
    for (const char *part :
         {"G6_CUDA_SLICE is no setting; there are G6_CUDA_SHAPE, G6_CUDA_SLICES, ",
          "G6_OPENCL_FP46 is no setting; there are G6_OPENCL_SHAPE, "})
        EXPECT_NE(problems.find(part), std::string::npos) << part << " in " << problems;
}

TEST(BackendVariables, values_within_the_limits_are_used)
{
    const struct {
        const char *name, *value;
    } good[] = {{"G6_CUDA_SHAPE", "0"},
                {"G6_CUDA_SLICES", "65535"},
                {"G6_CUDA_FEW", "0"},
                {"G6_CUDA_GROUP", " 64 "},
                {"G6_CUDA_FAULT", "start:3:trap"},
                {"G6_OPENCL_SHAPE", "32x4x2"},
                {"G6_OPENCL_SHAPE", "1x1x16"},
                {"G6_OPENCL_SLICES", "1"},
                {"G6_OPENCL_WALK", "16x1"},
                {"G6_OPENCL_FP64", "0"},
                {"G6_OPENCL_OPTIONS", "-cl-opt-disable -DA=1"},
                {"G6_OPENCL_FAULT", "open:1:build"}};
    for (const auto &g : good) {
        const Variable v(g.name, g.value);
        std::string problems;
        g6::config_from_environment(&problems);
        EXPECT_EQ(problems, "");
        EXPECT_EQ(g6::backend_variable(g.name), g6::trim(g.value)) << g.name;
    }
}

TEST(BackendVariables, values_that_do_not_fit_are_named_and_have_no_effect)
{
    const struct {
        const char *name, *value;
    } bad[] = {{"G6_CUDA_SHAPE", "-1"},
               {"G6_CUDA_SHAPE", "8"},
               {"G6_CUDA_SLICES", "0"},
               {"G6_CUDA_SLICES", "lots"},
               {"G6_CUDA_FEW", "65"},
               {"G6_CUDA_GROUP", "8x"},
               {"G6_CUDA_FAULT", "start"},
               {"G6_CUDA_FAULT", "begin:1:trap"},
               {"G6_CUDA_FAULT", "start:0:trap"},
               {"G6_CUDA_FAULT", "start:1:lost"},
               {"G6_OPENCL_SHAPE", "32x4"},
               {"G6_OPENCL_SHAPE", "32x4x2x1"},
               {"G6_OPENCL_SHAPE", "24x1x1"},
               {"G6_OPENCL_SHAPE", "65536x65536x1"},
               {"G6_OPENCL_SLICES", "1.5"},
               {"G6_OPENCL_WALK", "64"},
               {"G6_OPENCL_WALK", "8x8"},
               {"G6_OPENCL_FP64", "off"},
               {"G6_OPENCL_FAULT", "start:x:lost"}};
    for (const auto &b : bad) {
        const Variable v(b.name, b.value);
        std::string problems;
        g6::config_from_environment(&problems);
        EXPECT_EQ(problems.find(std::string(b.name) + "=" + b.value + " is not one of: "), 0u)
            << problems;
        EXPECT_EQ(g6::backend_variable(b.name), "") << b.value;
        EXPECT_EQ(g6::backend_number(b.name, -7), -7) << b.value;
    }
}

TEST(BackendVariables, an_injected_fault_is_due_at_the_call_that_it_counts_to)
{
    g6::InjectedFault fault;
    ASSERT_TRUE(g6::parse_opencl_fault("start:2:lost", fault));
    EXPECT_FALSE(fault.due("start"));
    EXPECT_FALSE(fault.due("finish"));
    EXPECT_TRUE(fault.due("start"));
    EXPECT_FALSE(fault.due("start"));
    EXPECT_FALSE(g6::InjectedFault().due("start"));
}

TEST(Config, an_empty_variable_is_none)
{
    const Variable v("G6_PRECISION", "");
    std::string problems;
    EXPECT_EQ(g6::config_from_environment(&problems).precision, g6::Precision::kMixed);
    EXPECT_EQ(problems, "");
}

TEST(Config, blanks_around_a_value_do_not_matter)
{
    const Variable v("G6_PRECISION", " double ");
    EXPECT_EQ(g6::config_from_environment().precision, g6::Precision::kDouble);
}

// ---- the file

// What is said about this path as G6_CONFIG.
std::string refusal_of_file(const std::string &path)
{
    const Variable variable("G6_CONFIG", path);
    std::string problems;
    EXPECT_EQ(g6::config_from_environment(&problems).npipes, 48);
    return problems;
}

TEST(Config, only_regular_files_are_read)
{
    const Folder folder;
    ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
    ASSERT_EQ(symlink("fifo", (folder / "link").c_str()), 0);
    const std::string other[][2] = {{folder.path(), "it is a folder"},
                                    {folder / "fifo", "it is no regular file"},
                                    {folder / "link", "it is no regular file"},
                                    {"/dev/zero", "it is no regular file"},
                                    {folder / "nowhere", "No such file or directory"}};
    for (const auto &[path, why] : other)
        EXPECT_EQ(refusal_of_file(path),
                  "G6_CONFIG=" + path + " cannot be read: " + why + "; going on without it");
}

TEST(Config, a_link_to_a_regular_file_is_read)
{
    const SettingsFile file("npipes = 96\n");
    const Folder folder;
    ASSERT_EQ(symlink(file.path().c_str(), (folder / "link").c_str()), 0);
    const Variable variable("G6_CONFIG", folder / "link");
    EXPECT_EQ(g6::config_from_environment().npipes, 96);
}

TEST(Config, a_file_of_more_than_a_mebibyte_is_refused)
{
    const std::string setting = "npipes = 96\n", rest(1024 * 1024 - setting.size(), '#');
    std::string problems;
    {
        const SettingsFile largest(setting + rest);
        EXPECT_EQ(g6::config_from_environment(&problems).npipes, 96);
        EXPECT_EQ(problems, "");
    }
    const SettingsFile larger(setting + rest + "#");
    EXPECT_NE(refusal_of_file(larger.path()).find("it is larger than 1 MiB"), std::string::npos);
}

// The text goes to a terminal.
TEST(Config, a_file_that_is_no_text_is_reported_in_a_few_printable_lines)
{
    std::string bytes;
    for (int k = 0; k < 4000; k++) bytes += static_cast<char>(1 + k * 7 % 255);
    for (int k = 0; k < 100; k++) bytes += "\n\033[2J" + std::string(1, '\0') + "mode";
    const SettingsFile file(bytes + "\nsnap = 0\nnpipes = 9" + std::string(1, '\0') + "6\n");
    std::string problems;
    const Config config = g6::config_from_environment(&problems);
    EXPECT_FALSE(config.snap);
    EXPECT_EQ(config.npipes, 48);
    EXPECT_LE(std::count(problems.begin(), problems.end(), '\n'), 22);
    EXPECT_NE(problems.find(" more such lines"), std::string::npos) << problems;
    for (const char c : problems)
        EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != 127)) << int(c);
}

// ---- locales

// A locale whose numbers have a comma, made with localedef; null when that cannot be.
const char *set_comma_locale(const Folder &folder)
{
    std::ofstream(folder / "source") << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\n"
                                        "grouping -1\nEND LC_NUMERIC\n";
    const std::string make = "localedef --no-archive -c -i " + (folder / "source") +
                             " -f ANSI_X3.4-1968 " + (folder / "comma") + " >/dev/null 2>&1";
    if (std::system(make.c_str()) < 0) return nullptr;
    const Variable path("LOCPATH", folder.path());
    return std::setlocale(LC_NUMERIC, "comma");
}

TEST(Config, numbers_have_a_point_in_every_locale)
{
    const Folder folder;
    if (!set_comma_locale(folder)) GTEST_SKIP() << "localedef cannot make a locale here";
    Config c;
    EXPECT_NO_THROW(g6::set_option(c, "theta", "0.375"));
    EXPECT_EQ(c.walk.theta, 0.375);
    EXPECT_THROW(g6::set_option(c, "theta", "0,5"), g6::Error);
    EXPECT_EQ(g6::option_row("theta").print(c), "0.375");
    std::setlocale(LC_NUMERIC, "C");
}

// ---- the table

// Every value of the table is taken, and read back as it was given but in lower case.
TEST(Config, every_allowed_value_is_taken_and_printed)
{
    const std::pair<const char *, std::vector<const char *>> rows[] = {
        {"mode", {"auto", "hermite", "treeonly", "treewalk"}},
        {"precision", {"mixed", "double", "single"}},
        {"mac", {"bh", "bmax", "multipole", "acceleration"}},
        {"multipole", {"0", "2", "0"}},
        {"theta", {"0", "0.3", "10"}},
        {"leaf", {"1", "1024"}},
        {"rebuild", {"7", "auto", "1", "1000000"}},
        {"direct", {"7", "auto", "0"}},
        {"neighbour_self", {"0", "1", "auto"}},
        {"nn_none", {"-1", "0"}},
        {"snap", {"0", "1"}},
        {"stats", {"1", "0"}},
        {"threads", {"0", "4096"}},
        {"isa", {"generic", "avx2", "avx512", "auto"}},
        {"devices", {"all", "0,1", "H200"}}};
    for (const auto &[key, values] : rows) {
        Config c;
        for (const char *value : values) {
            SCOPED_TRACE(std::string(key) + " " + value);
            g6::set_option(c, key, value);
            EXPECT_EQ(g6::option_row(key).print(c), value);
            std::string large = value;
            for (char &letter : large) letter = static_cast<char>(std::toupper(letter));
            g6::set_option(c, key, large);
            EXPECT_EQ(g6::option_row(key).print(c), value);
        }
    }
}

TEST(Config, on_and_off_are_1_and_0)
{
    Config c;
    for (const char *value : {"off", "on", "OFF", "On"}) {
        g6::set_option(c, "snap", value);
        EXPECT_EQ(c.snap, value[1] == 'n') << value;
    }
}

TEST(Config, values_beyond_the_limits_are_refused)
{
    const std::pair<const char *, std::vector<const char *>> rows[] = {
        {"theta", {"-0.1", "10.1", "nan", "inf", "0.5x", ""}},
        {"leaf", {"0", "1025", "3.5", ""}},
        {"rebuild", {"0", "1000001", "-1"}},
        {"direct", {"-1", "2147483648", "few"}},
        {"multipole", {"1", "3", "-2"}},
        {"threads", {"-1", "4097", "0x10", "4 4"}},
        {"nn_none", {"1", "-2"}}};
    for (const auto &[key, values] : rows)
        for (const char *value : values)
            EXPECT_EQ(refusal(key, value), G6_ERR_OPTION) << key << "=" << value;
}

TEST(Config, own_index_in_lists_follows_the_number_of_pipes)
{
    Config c;
    for (int pipes : {1, 47, 48, 49, 2048}) {
        c.npipes = pipes;
        EXPECT_EQ(c.own_in_lists(), pipes > 48) << pipes;
    }
    c.npipes = 48;
    g6::set_option(c, "neighbour_self", "1");
    EXPECT_TRUE(c.own_in_lists());
}

}  // namespace
}  // namespace g6test
