// SPDX-License-Identifier: MIT
// Settings: the values of each row of the table and what is refused, where settings come from and
// which source overrides which, and the file that G6_CONFIG names.
#include "settings.h"

#include <algorithm>
#include <clocale>
#include <sys/stat.h>
#include <unistd.h>

namespace g6test {
namespace {

using g6::Config;

// What a row prints, it must parse: g6_get_option() and g6_set_option() are inverse.
TEST(Config, every_row_takes_what_it_prints)
{
    for (const g6::OptionRow &row : g6::option_rows()) {
        Config c;
        EXPECT_TRUE(row.parse(c, row.print(c)) || row.print(c).empty())
            << row.key << "=" << row.print(c);
    }
}

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
    EXPECT_EQ(g6::config_from_environment().npipes, 16384);
    EXPECT_EQ(g6::config_from_environment().nn_none, -1);
    const Variable none("G6_PROFILE", "auto");
    EXPECT_EQ(g6::config_from_environment().npipes, 48);
    EXPECT_EQ(g6::config_from_environment().nn_none, 0);
}

TEST(Config, blanks_around_a_value_do_not_matter)
{
    const Variable v("G6_PRECISION", " double ");
    EXPECT_EQ(g6::config_from_environment().precision, g6::Precision::kDouble);
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
    for (const auto &[path, why] : other) {
        const Variable variable("G6_CONFIG", path);
        std::string said;
        EXPECT_EQ(g6::config_from_environment(&said).npipes, 48);
        EXPECT_EQ(said, "G6_CONFIG=" + path + " cannot be read: " + why + "; going on without it");
    }
}

TEST(Config, a_link_to_a_regular_file_is_read)
{
    const SettingsFile file("npipes = 96\n");
    const Folder folder;
    ASSERT_EQ(symlink(file.path().c_str(), (folder / "link").c_str()), 0);
    const Variable variable("G6_CONFIG", folder / "link");
    EXPECT_EQ(g6::config_from_environment().npipes, 96);
}

// The text goes to a terminal.
TEST(Config, a_file_that_is_no_text_is_reported_in_printable_lines)
{
    std::string bytes;
    for (int k = 0; k < 4000; k++) bytes += static_cast<char>(1 + k * 7 % 255);
    for (int k = 0; k < 100; k++) bytes += "\n\033[2J" + std::string(1, '\0') + "mode";
    const SettingsFile file(bytes + "\nsnap = 0\nnpipes = 9" + std::string(1, '\0') + "6\n");
    std::string problems;
    const Config config = g6::config_from_environment(&problems);
    EXPECT_FALSE(config.snap);
    EXPECT_EQ(config.npipes, 48);
    EXPECT_GE(std::count(problems.begin(), problems.end(), '\n'), 100);
    for (const char c : problems)
        EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= ' ' && c != 127)) << int(c);
}

}  // namespace
}  // namespace g6test
